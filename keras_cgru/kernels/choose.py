"""Chooses what the active backend computes the recurrence with."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import keras

KERNELS = {
    "jax": "keras_cgru.kernels.jax_kernel",
    "tensorflow": "keras_cgru.kernels.tensorflow_kernel",
    "torch": "keras_cgru.kernels.torch_kernel",
}


def find_kernel() -> Callable[..., Any] | None:
    """The function `coref_gru` of the active backend's kernel, or None.

    Every kernel has the signature of `keras_cgru.kernels.jax_kernel.coref_gru`.
    """
    name = KERNELS.get(keras.backend.backend())
    return None if name is None else importlib.import_module(name).coref_gru


def search_rows(rows: Any, values: Any) -> Any:
    """Positions of int32 values in rows that are sorted: `(batch, n)` from the same.

    Keras searches one row only.
    """
    backend = keras.backend.backend()
    if backend == "jax":
        jax = importlib.import_module("jax")
        return jax.vmap(
            lambda row, value: jax.numpy.searchsorted(
                row, value, method="scan_unrolled"
            )
        )(rows, values)
    if backend == "tensorflow":
        return importlib.import_module("tensorflow").searchsorted(rows, values)
    return importlib.import_module("torch").searchsorted(
        rows.contiguous(), values.contiguous(), out_int32=True
    )
