"""Recurrent Keras layers biased towards coreferent recency."""

from keras_cgru import layers, models, preprocessing
from keras_cgru.layers import (
    AttentionSum,
    CorefGRU,
    CorefGRUCell,
    GatedAttention,
    SoftmaxAnswer,
    pack_clusters,
)
from keras_cgru.preprocessing import CorefTextVectorization, TextModel
from keras_cgru.version import __version__

__all__ = [
    "AttentionSum",
    "CorefGRU",
    "CorefGRUCell",
    "CorefTextVectorization",
    "GatedAttention",
    "SoftmaxAnswer",
    "TextModel",
    "__version__",
    "layers",
    "models",
    "pack_clusters",
    "preprocessing",
]
