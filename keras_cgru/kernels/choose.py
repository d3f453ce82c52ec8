"""Chooses what the active backend computes a recurrence with."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import keras

# The cells that have kernels, each with the backends that it has one for. A cell's
# kernel is the function of the cell's name in the file of both names.
KERNELS = {
    "coref_gru": ("jax", "tensorflow", "torch"),
}


def find_kernel(cell: str) -> Callable[..., Any] | None:
    """A cell's kernel on the active backend, or None.

    Every kernel has the signature of `keras_cgru.kernels.coref_gru_jax.coref_gru`.
    """
    backend = keras.backend.backend()
    if backend not in KERNELS.get(cell, ()):
        return None
    module = importlib.import_module(f"keras_cgru.kernels.{cell}_{backend}")
    return getattr(module, cell)


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
