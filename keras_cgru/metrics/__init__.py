"""Metrics of answers, which saved models name."""

import keras  # noqa: F401 (see keras_cgru/__init__.py)

from keras_cgru.metrics.answer_accuracy import answer_accuracy
from keras_cgru.metrics.answer_metrics import answer_metrics
from keras_cgru.metrics.whole_answer_accuracy import whole_answer_accuracy
from keras_cgru.metrics.whole_answer_cross_entropy import whole_answer_cross_entropy

__all__ = [
    "answer_accuracy",
    "answer_metrics",
    "whole_answer_accuracy",
    "whole_answer_cross_entropy",
]
