"""Texts, and small models over them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import keras
import numpy as np
import pytest

from keras_cgru import CorefTextVectorization, TextModel

# The longest is not the first; one has no coreference, one no token.
TEXTS = [
    "Mary met John. She liked him.",
    "",
    'John had a hat. "My hat," he said, "is old." Mary took it.',
    "Nobody came.",
]
LABELS = np.array([1.0, 0.0, 1.0, 0.0])


@pytest.fixture
def texts() -> list[str]:
    return list(TEXTS)


@pytest.fixture
def labels() -> np.ndarray:
    return LABELS


@pytest.fixture
def vectorization() -> CorefTextVectorization:
    """A layer that knows the words of `texts`."""
    layer = CorefTextVectorization(num_clusters=5)
    layer.adapt(TEXTS)
    return layer


def _sum(words: Any, clusters: Any, num_words: int) -> Any:
    """Compiles sooner than a recurrence: the sum of the tokens' embeddings."""
    x = keras.layers.Embedding(num_words, 4)(words)
    x = keras.layers.Multiply()([x, keras.layers.Embedding(6, 4)(clusters)])
    keep = keras.ops.expand_dims(keras.ops.cast(words > 0, x.dtype), -1)
    return keras.ops.sum(x * keep, axis=1)


@pytest.fixture(scope="session")
def make_reader() -> Callable[..., keras.Model]:
    """A functional model over word ids and cluster ids."""

    def make(num_words: int, structure: Callable[..., Any] = list) -> keras.Model:
        names = ("words", "clusters")
        inputs = {
            name: keras.Input((None,), dtype="int32", name=name) for name in names
        }
        x = _sum(*inputs.values(), num_words)
        taken = inputs if structure is dict else list(inputs.values())
        return keras.Model(taken, keras.layers.Dense(1)(x))

    return make


@pytest.fixture
def text_model(
    vectorization: CorefTextVectorization,
    make_reader: Callable[..., keras.Model],
    randomise: Callable[..., None],
) -> TextModel:
    """A compiled model of texts with random weights."""
    num_words = vectorization.vocabulary_size()
    model = TextModel(vectorization, make_reader(num_words))
    randomise(model)
    model.compile("sgd", "mse")
    return model


class Batches(keras.utils.PyDataset):
    """Serves `transform(texts), labels`, two at a time."""

    def __init__(
        self,
        texts: Sequence[str],
        transform: Callable[[list[str]], Any],
        length: int | None = None,
    ) -> None:
        super().__init__()
        self.texts, self.transform, self.length = texts, transform, length

    @property
    def num_batches(self) -> int | None:
        return self.length

    def __getitem__(self, index: int) -> tuple:
        start = 2 * index % len(self.texts)
        batch = list(self.texts[start : start + 2])
        return self.transform(batch), LABELS[start : start + 2]


@pytest.fixture(scope="session")
def batches() -> type[Batches]:
    return Batches
