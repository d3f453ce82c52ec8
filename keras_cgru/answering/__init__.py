"""Asking a trained reader about texts of one's own."""

import keras  # noqa: F401 (see keras_cgru/__init__.py)

from keras_cgru.answering.load_reader import load_reader
from keras_cgru.answering.trained_reader import TrainedReader

__all__ = ["TrainedReader", "load_reader"]
