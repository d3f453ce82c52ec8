"""Coreference by other systems, and what makes long texts fit them."""

from keras_cgru.coref.resolvers.allennlp import AllenNLPResolver
from keras_cgru.coref.resolvers.corenlp import CoreNLPResolver
from keras_cgru.coref.resolvers.fastcoref import FastCorefResolver
from keras_cgru.coref.resolvers.stanza import StanzaResolver
from keras_cgru.coref.resolvers.windowed import WindowedResolver

__all__ = [
    "AllenNLPResolver",
    "CoreNLPResolver",
    "FastCorefResolver",
    "StanzaResolver",
    "WindowedResolver",
]
