"""Readings as text for a terminal."""

from keras_cgru.inspection.text.print_reading import print_reading
from keras_cgru.inspection.text.view import as_text

__all__ = ["as_text", "print_reading"]
