"""Specimens of every layer, for the tests that hold for all of them."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import keras
import numpy as np
import pytest

from keras_cgru import (
    AttentionSum,
    CorefGRU,
    CorefGRUCell,
    GatedAttention,
    pack_clusters,
)
from keras_cgru.layers import ClusterOneHot

BATCH, TIME, QUERY_TIME, DIM, UNITS, NUM_CLUSTERS, CANDIDATES = 3, 5, 4, 3, 4, 3, 2
RNG = np.random.default_rng(0)
X = RNG.normal(size=(BATCH, TIME, DIM)).astype("float32")
QUERY = RNG.normal(size=(BATCH, QUERY_TIME, DIM)).astype("float32")
CLUSTERS = np.array([[1, 2, 1, 3, 1], [2, 2, 0, 7, 2], [0, 3, 3, 1, 3]], "int32")
POSITIONS = np.array(
    [
        [[1, 0, 0, 0, 1], [0, 1, 1, 0, 0]],
        [[1, 0, 1, 0, 0], [0, 0, 0, 0, 1]],
        [[0, 0, 0, 1, 0], [1, 0, 0, 0, 0]],
    ],
    bool,
)


@dataclass(frozen=True)
class Specimen:
    """A layer to be tested: how it is made, and what it is called with."""

    make: Callable[..., keras.layers.Layer]  # takes `dtype`
    inputs: tuple[np.ndarray, ...]
    # Stock `RNN` takes features and ids in one tensor.
    packed: bool = False
    # The widest dtype of the output where it is not the compute dtype.
    always_wide: bool = False

    def arguments(self, tensors: Any) -> Any:
        return pack_clusters(*tensors) if self.packed else list(tensors)

    def __call__(self, layer: keras.layers.Layer, tensors: Any = None) -> Any:
        return layer(self.arguments(self.inputs if tensors is None else tensors))

    def symbolic(self) -> list:
        """Inputs of any batch, of the specimen's shapes and dtypes."""
        return [keras.Input(a.shape[1:], dtype=str(a.dtype)) for a in self.inputs]

    def model(self, layer: keras.layers.Layer) -> keras.Model:
        """The layer on trained features: they change only if it passes a gradient.

        Without a bias: a softmax over the tokens does not see a shift of them all.
        """
        inputs = self.symbolic()
        tensors = [
            keras.layers.Dense(DIM, use_bias=False)(tensor)
            if tensor.dtype == "float32"
            else tensor
            for tensor in inputs
        ]
        return keras.Model(inputs, self(layer, tensors))


def _rnn(dtype: Any = None) -> keras.layers.Layer:
    cell = CorefGRUCell(UNITS, NUM_CLUSTERS, dtype=dtype)
    return keras.layers.RNN(cell, return_sequences=True, dtype=dtype)


def _layer(dtype: Any = None) -> keras.layers.Layer:
    return CorefGRU(UNITS, NUM_CLUSTERS, return_sequences=True, dtype=dtype)


def _bidirectional(dtype: Any = None) -> keras.layers.Layer:
    layer = CorefGRU(UNITS, NUM_CLUSTERS, dtype=dtype)
    return keras.layers.Bidirectional(layer, dtype=dtype)


HEAD_INPUTS = (X, QUERY[:, 0], POSITIONS)
SPECIMENS = {
    "RNN(CorefGRUCell)": Specimen(_rnn, (X, CLUSTERS), packed=True),
    "CorefGRU": Specimen(_layer, (X, CLUSTERS)),
    "Bidirectional(CorefGRU)": Specimen(_bidirectional, (X, CLUSTERS)),
    "GatedAttention": Specimen(GatedAttention, (X, QUERY)),
    "AttentionSum": Specimen(AttentionSum, HEAD_INPUTS, always_wide=True),
    "AttentionSum of logits": Specimen(
        lambda dtype=None: AttentionSum(logits=True, dtype=dtype),
        HEAD_INPUTS,
        always_wide=True,
    ),
    "ClusterOneHot": Specimen(
        lambda dtype=None: ClusterOneHot(NUM_CLUSTERS, dtype=dtype), (X, CLUSTERS)
    ),
}


@pytest.fixture(params=SPECIMENS)
def specimen(request: pytest.FixtureRequest) -> Specimen:
    return SPECIMENS[request.param]


@pytest.fixture
def floats_of() -> Callable[[Specimen], list[int]]:
    """Indices of a specimen's floating-point inputs."""

    def indices(specimen: Specimen) -> list[int]:
        is_float = [a.dtype == "float32" for a in specimen.inputs]
        return list(itertools.compress(range(len(is_float)), is_float))

    return indices
