"""Coreference by rules: mentions, then one pass after the other, precise ones first."""

from keras_cgru.coref.sieve.perceptron import perceptron_tagger
from keras_cgru.coref.sieve.sieve_resolver import LINKS, SieveResolver

__all__ = ["LINKS", "SieveResolver", "perceptron_tagger"]
