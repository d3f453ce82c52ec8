"""The recurrence behind one call, whichever layer computes it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import keras

from keras_cgru import pack_clusters


def compile_call(function: Callable[..., Any]) -> Callable[..., Any]:
    """On JAX, where each operation run alone is compiled alone: one program instead."""
    if keras.backend.backend() != "jax":
        return function
    import jax

    return jax.jit(function)


class Recurrence:
    """An implementation of the recurrence behind one call: `[x, clusters]` in."""

    def __init__(self, layer: keras.layers.Layer, packed: bool) -> None:
        self.layer = layer
        self.packed = packed

    def __call__(self, x: Any, clusters: Any, **kwargs: Any) -> Any:
        inputs = pack_clusters(x, clusters) if self.packed else [x, clusters]
        return self.layer(inputs, **kwargs)

    def read(self, x: Any, clusters: Any, **kwargs: Any) -> Any:
        """The same of a built layer, compiled."""
        return compile_call(lambda given: self(*given[0], **given[1]))(
            ([x, clusters], kwargs)
        )

    def build(self, x_shape: tuple) -> None:
        packed_shape = (*x_shape[:2], x_shape[2] + 1)
        self.layer.build(packed_shape if self.packed else [x_shape, x_shape[:2]])

    def wrapped(self, wrapper: Callable[[Any], Any]) -> Recurrence:
        return Recurrence(wrapper(self.layer), self.packed)
