"""Recurrent Keras layers biased towards coreferent recency."""

from keras_cgru import layers, metrics, models
from keras_cgru.layers import (
    AttentionSum,
    CorefGRU,
    CorefGRUCell,
    GatedAttention,
    SoftmaxAnswer,
    pack_clusters,
)
from keras_cgru.version import __version__

__all__ = [
    "AttentionSum",
    "CorefGRU",
    "CorefGRUCell",
    "GatedAttention",
    "SoftmaxAnswer",
    "__version__",
    "layers",
    "metrics",
    "models",
    "pack_clusters",
]
