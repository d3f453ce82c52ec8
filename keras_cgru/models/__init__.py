"""Functional Keras models."""

import keras  # noqa: F401 (see keras_cgru/__init__.py)

from keras_cgru.models.draw_weights import draw_weights
from keras_cgru.models.ga_reader import ga_reader

__all__ = ["draw_weights", "ga_reader"]
