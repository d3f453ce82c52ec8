"""Text before anything is found in it: tokens, sentences, words that mean little."""

from keras_cgru.coref.text.inflection import singular
from keras_cgru.coref.text.stop_words import FUNCTION_WORDS, PUNCTUATION, STOP_WORDS
from keras_cgru.coref.text.text_sentences import split_paragraphs, split_sentences
from keras_cgru.coref.text.token_sentences import find_sentence_starts
from keras_cgru.coref.text.tokenise import tokenise

__all__ = [
    "FUNCTION_WORDS",
    "PUNCTUATION",
    "STOP_WORDS",
    "find_sentence_starts",
    "singular",
    "split_paragraphs",
    "split_sentences",
    "tokenise",
]
