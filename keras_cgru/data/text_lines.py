"""Lines of text files; they live in `keras_cgru.files.text_lines`."""

from keras_cgru.files.text_lines import read_lines

__all__ = ["read_lines"]
