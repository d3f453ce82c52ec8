"""Chooses the kernel of the active backend."""

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
