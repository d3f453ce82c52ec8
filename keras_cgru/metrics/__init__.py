"""Metrics of answers that are made of several words, one after the other."""

import keras  # noqa: F401 (see keras_cgru/__init__.py)

from keras_cgru.metrics.whole_answer_accuracy import whole_answer_accuracy
from keras_cgru.metrics.whole_answer_cross_entropy import whole_answer_cross_entropy

__all__ = ["whole_answer_accuracy", "whole_answer_cross_entropy"]
