"""A small training run with dropout, shuffled by (seed, epoch), for every callback."""

from collections.abc import Callable
from typing import Any

import keras
import numpy as np
import pytest

BATCH = 8
EXAMPLES = 40  # five batches an epoch


class ShuffledData(keras.utils.PyDataset):
    """Examples in an order that depends on the seed and the epoch alone."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        generator = np.random.default_rng(seed)
        self.x = generator.normal(size=(EXAMPLES, 6)).astype("float32")
        self.y = (self.x.sum(axis=1) > 0).astype("int32")
        self.seed = seed
        self.epoch = 0

    def __len__(self) -> int:
        return EXAMPLES // BATCH

    def __getitem__(self, index: int) -> tuple[np.ndarray, np.ndarray]:
        order = np.random.default_rng((self.seed, self.epoch)).permutation(EXAMPLES)
        rows = order[index * BATCH : (index + 1) * BATCH]
        return self.x[rows], self.y[rows]


class SetEpoch(keras.callbacks.Callback):
    """Tells the data which epoch it is, before the epoch's first batch."""

    def __init__(self, data: ShuffledData) -> None:
        super().__init__()
        self.data = data

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        self.data.epoch = epoch


class InterruptAt(keras.callbacks.Callback):
    """Does at the end of one batch what Ctrl-C does."""

    def __init__(self, epoch: int, batch: int) -> None:
        super().__init__()
        self.at = (epoch, batch)

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        self.epoch = epoch

    def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
        if (self.epoch, batch) == self.at:
            raise KeyboardInterrupt


def _build_model(
    units: int = 5, seed: int = 3, dtype: str = "float32", **compile_options: Any
) -> keras.Model:
    keras.utils.set_random_seed(seed)
    model = keras.Sequential(
        [
            keras.Input((6,)),
            keras.layers.Dense(units, activation="tanh", dtype=dtype),
            # On torch only a seeded one draws from a seed generator of the model.
            keras.layers.Dropout(0.2, seed=seed),
            keras.layers.Dropout(0.2),
            keras.layers.Dense(2, activation="softmax"),
        ]
    )
    options = {
        "optimizer": keras.optimizers.Adam(0.02),
        "loss": "sparse_categorical_crossentropy",
        "metrics": ["accuracy"],
    }
    model.compile(**(options | compile_options))
    return model


def _fit(
    model: keras.Model,
    epochs: int,
    callbacks: list[keras.callbacks.Callback] | None = None,
    initial_epoch: int = 0,
    **options: Any,
) -> dict[str, list[float]]:
    data = ShuffledData(seed=11)
    history = model.fit(
        data,
        epochs=epochs,
        initial_epoch=initial_epoch,
        callbacks=[SetEpoch(data), *(callbacks or [])],
        shuffle=False,
        verbose=0,
        **options,
    )
    return history.history


@pytest.fixture
def build_model() -> Callable[..., keras.Model]:
    """Builds the model anew: other initial weights and seeds by `seed`."""
    return _build_model


@pytest.fixture
def fit() -> Callable[..., dict[str, list[float]]]:
    """Trains five batches an epoch and returns the history."""
    return _fit


@pytest.fixture
def validation() -> tuple[np.ndarray, np.ndarray]:
    """Data to pass as `validation_data`."""
    data = ShuffledData(seed=12)
    return data.x, data.y


@pytest.fixture
def numpy_of() -> Callable[[keras.Variable], np.ndarray]:
    """Copies a variable's value, bfloat16 as float32."""

    def copy(variable: keras.Variable) -> np.ndarray:
        array = keras.ops.convert_to_numpy(variable.value)
        return array.astype("float32") if array.dtype.kind == "V" else array.copy()

    return copy


@pytest.fixture
def interrupt_at() -> Callable[[int, int], keras.callbacks.Callback]:
    """Builds a callback that raises KeyboardInterrupt after (epoch, batch)."""
    return InterruptAt
