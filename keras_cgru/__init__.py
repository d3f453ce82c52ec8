"""Recurrent Keras layers biased towards coreferent recency.

Importing the package imports no Keras, whose backend can be chosen only before: the
names below are looked up when they are first used. Saved models load all the same,
since every class that they may name is registered as soon as Keras is imported.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

import wrapt

from keras_cgru.backend import prefer_installed_backend
from keras_cgru.version import __version__

if TYPE_CHECKING:
    from keras_cgru import layers, metrics, models, preprocessing
    from keras_cgru.answering import load_reader
    from keras_cgru.layers import (
        AttentionSum,
        CorefGRU,
        CorefGRUCell,
        GatedAttention,
        SoftmaxAnswer,
        pack_clusters,
    )
    from keras_cgru.preprocessing import CorefTextVectorization, TextModel

_LAYERS = (
    "AttentionSum",
    "CorefGRU",
    "CorefGRUCell",
    "GatedAttention",
    "SoftmaxAnswer",
    "pack_clusters",
)
_PREPROCESSING = ("CorefTextVectorization", "TextModel")
_ANSWERING = ("load_reader",)
_WITH_KERAS = ("layers", "metrics", "models", "preprocessing")

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
    "load_reader",
    "metrics",
    "models",
    "pack_clusters",
    "preprocessing",
]


prefer_installed_backend()


@wrapt.when_imported("keras")
def _register(_: Any) -> None:
    """Keras finds the classes and functions of a saved model where they registered.

    The faces of these packages import Keras first: so this runs before any of their
    files is imported half.
    """
    for name in _WITH_KERAS:
        importlib.import_module(f"keras_cgru.{name}")


def __getattr__(name: str) -> Any:
    if name in _WITH_KERAS:
        return importlib.import_module(f"keras_cgru.{name}")
    if name in _LAYERS:
        return getattr(importlib.import_module("keras_cgru.layers"), name)
    if name in _PREPROCESSING:
        return getattr(importlib.import_module("keras_cgru.preprocessing"), name)
    if name in _ANSWERING:
        return getattr(importlib.import_module("keras_cgru.answering"), name)
    raise AttributeError(f"module 'keras_cgru' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
