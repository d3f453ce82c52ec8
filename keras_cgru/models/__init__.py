"""Functional Keras models."""

import keras  # noqa: F401 (see keras_cgru/__init__.py)

from keras_cgru.models.draw_weights import draw_weights
from keras_cgru.models.ga_reader import ga_reader
from keras_cgru.models.reader_probe import ReaderProbe
from keras_cgru.models.reader_trace import ReaderTrace

__all__ = ["ReaderProbe", "ReaderTrace", "draw_weights", "ga_reader"]
