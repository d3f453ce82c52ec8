"""Coreference clusters of a text: who makes them, how they are cut to a number."""

from keras_cgru.coref.exact_match import ExactMatchResolver
from keras_cgru.coref.limit_clusters import limit_clusters
from keras_cgru.coref.resolver import Resolver
from keras_cgru.coref.stop_words import FUNCTION_WORDS, PUNCTUATION, STOP_WORDS

__all__ = [
    "FUNCTION_WORDS",
    "PUNCTUATION",
    "STOP_WORDS",
    "ExactMatchResolver",
    "Resolver",
    "limit_clusters",
]
