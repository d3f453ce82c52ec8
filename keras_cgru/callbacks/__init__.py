"""Keras callbacks: TensorBoard without TensorFlow, exact resume, metrics by epoch.

The callbacks are looked up when they are first used: what reads the files that they
wrote (`event_files`, `hparams_files`, `metrics_table`) needs no Keras.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from keras_cgru.callbacks.metrics_table import read_metrics

if TYPE_CHECKING:
    from keras_cgru.callbacks.best_model import BestModel
    from keras_cgru.callbacks.best_weights import BestWeights
    from keras_cgru.callbacks.epoch_part import EpochPart
    from keras_cgru.callbacks.exact_resume import ExactResume
    from keras_cgru.callbacks.exp_loss import ExpLoss
    from keras_cgru.callbacks.metrics_csv import MetricsCSV
    from keras_cgru.callbacks.stop_on_interrupt import StopOnInterrupt
    from keras_cgru.callbacks.tensorboard import TensorBoard
    from keras_cgru.callbacks.weight_histograms import WeightHistograms

_MODULES = {
    "BestModel": "best_model",
    "BestWeights": "best_weights",
    "EpochPart": "epoch_part",
    "ExactResume": "exact_resume",
    "ExpLoss": "exp_loss",
    "MetricsCSV": "metrics_csv",
    "StopOnInterrupt": "stop_on_interrupt",
    "TensorBoard": "tensorboard",
    "WeightHistograms": "weight_histograms",
}

__all__ = [
    "BestModel",
    "BestWeights",
    "EpochPart",
    "ExactResume",
    "ExpLoss",
    "MetricsCSV",
    "StopOnInterrupt",
    "TensorBoard",
    "WeightHistograms",
    "read_metrics",
]


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        module = importlib.import_module(f"keras_cgru.callbacks.{_MODULES[name]}")
        return getattr(module, name)
    raise AttributeError(f"module 'keras_cgru.callbacks' has no attribute {name!r}")
