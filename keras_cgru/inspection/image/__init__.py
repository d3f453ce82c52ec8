"""Readings as pictures, by matplotlib."""

from keras_cgru.inspection.image.render import as_image, draw_reading

__all__ = ["as_image", "draw_reading"]
