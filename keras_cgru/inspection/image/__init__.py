"""Readings as pictures, by matplotlib."""

from keras_cgru.inspection.image.render import as_image

__all__ = ["as_image"]
