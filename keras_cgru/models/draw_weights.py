"""Initial weights that are the same on every backend."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import keras
import numpy as np

from keras_cgru.layers.coref_cell import CorefCell

KEYS_STDDEV = 0.1


def draw_weights(model: keras.Model, seed: int) -> None:
    """Draws the recurrent weights of a model as the released Coref-GRU code does.

    Every gate's matrix is normal with standard deviation sqrt(6 / (fan_in +
    fan_out)), sqrt(3) times as wide as Glorot's; keys are normal with standard
    deviation 0.1; biases are zero. Drawn by NumPy, so that a seed gives the same
    weights on every backend. Other layers keep their weights.

    Args:
        model: Any built model with (Coref-)GRU cells.
        seed: Seed of the draw.

    Reference:
        https://github.com/bdhingra/coref-gru, `model/tflayers.py`.
    """
    rng = np.random.default_rng(seed)
    for cell in _cells(model):
        for weight in (cell.kernel, cell.recurrent_kernel):
            weight.assign(_gates(rng, weight.shape, cell.units))
        if cell.bias is not None:
            cell.bias.assign(np.zeros(cell.bias.shape, "float32"))
        if isinstance(cell, CorefCell):
            keys = rng.normal(scale=KEYS_STDDEV, size=tuple(cell.keys.shape))
            cell.keys.assign(keys.astype("float32"))


def _cells(layer: keras.layers.Layer) -> Iterator[Any]:
    """The cells below a layer, in the order in which the layers were connected."""
    if isinstance(layer, (keras.layers.GRUCell, CorefCell)):
        yield layer
        return
    children = getattr(layer, "layers", None)
    if isinstance(layer, keras.layers.Bidirectional):
        children = [layer.forward_layer, layer.backward_layer]
    elif isinstance(layer, keras.layers.RNN):
        children = [layer.cell]
    elif isinstance(layer, keras.layers.StackedRNNCells):
        children = layer.cells
    for child in children or []:
        yield from _cells(child)


def _gates(rng: np.random.Generator, shape: tuple[int, int], units: int) -> np.ndarray:
    """A kernel `(fan_in, gates * units)`: each gate has `units` as its fan-out."""
    stddev = math.sqrt(6 / (shape[0] + units))
    return rng.normal(scale=stddev, size=tuple(shape)).astype("float32")
