"""Coreference clusters of a text: who makes them, and what the layers take of them."""

from keras_cgru.coref.align import Alignment, align
from keras_cgru.coref.annotation import Annotation, Cluster, Span
from keras_cgru.coref.antecedents import antecedents
from keras_cgru.coref.document import Document
from keras_cgru.coref.edges import Edges, edges
from keras_cgru.coref.exact_match import ExactMatchResolver
from keras_cgru.coref.random_links import RandomLinksResolver
from keras_cgru.coref.resolver import Resolver
from keras_cgru.coref.sieve import SieveResolver
from keras_cgru.coref.text import FUNCTION_WORDS, PUNCTUATION, STOP_WORDS, singular
from keras_cgru.coref.token_clusters import TokenClusters, token_clusters

__all__ = [
    "FUNCTION_WORDS",
    "PUNCTUATION",
    "STOP_WORDS",
    "Alignment",
    "Annotation",
    "Cluster",
    "Document",
    "Edges",
    "ExactMatchResolver",
    "RandomLinksResolver",
    "Resolver",
    "SieveResolver",
    "Span",
    "TokenClusters",
    "align",
    "antecedents",
    "edges",
    "singular",
    "token_clusters",
]
