"""Keras callbacks: TensorBoard without TensorFlow, exact resume, metrics by epoch."""

from keras_cgru.callbacks.best_model import BestModel
from keras_cgru.callbacks.best_weights import BestWeights
from keras_cgru.callbacks.exact_resume import ExactResume
from keras_cgru.callbacks.metrics_csv import MetricsCSV, read_metrics
from keras_cgru.callbacks.stop_on_interrupt import StopOnInterrupt
from keras_cgru.callbacks.tensorboard import TensorBoard

__all__ = [
    "BestModel",
    "BestWeights",
    "ExactResume",
    "MetricsCSV",
    "StopOnInterrupt",
    "TensorBoard",
    "read_metrics",
]
