"""The stop lists of the readers; they live in `keras_cgru.coref.stop_words`."""

from keras_cgru.coref.stop_words import FUNCTION_WORDS, PUNCTUATION, STOP_WORDS

__all__ = ["FUNCTION_WORDS", "PUNCTUATION", "STOP_WORDS"]
