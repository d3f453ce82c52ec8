"""Keras layers: the recurrence and the pieces of the reader."""

import keras  # noqa: F401 (see keras_cgru/__init__.py)

from keras_cgru.layers.attention_sum import AttentionSum
from keras_cgru.layers.candidate_map import CandidateMap
from keras_cgru.layers.character_encoder import CharacterEncoder
from keras_cgru.layers.cluster_one_hot import ClusterOneHot
from keras_cgru.layers.coref_alpha import coref_alpha
from keras_cgru.layers.coref_cell import CorefCell
from keras_cgru.layers.coref_gru import CorefGRU
from keras_cgru.layers.coref_gru_cell import CorefGRUCell
from keras_cgru.layers.coref_rnn import CorefRNN
from keras_cgru.layers.gated_attention import GatedAttention
from keras_cgru.layers.in_query import InQuery
from keras_cgru.layers.pack_clusters import pack_clusters
from keras_cgru.layers.softmax_answer import SoftmaxAnswer

__all__ = [
    "AttentionSum",
    "CandidateMap",
    "CharacterEncoder",
    "ClusterOneHot",
    "CorefCell",
    "CorefGRU",
    "CorefGRUCell",
    "CorefRNN",
    "GatedAttention",
    "InQuery",
    "SoftmaxAnswer",
    "coref_alpha",
    "pack_clusters",
]
