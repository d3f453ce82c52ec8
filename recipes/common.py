"""What the recipes' command lines share; needs no Keras, whose backend it chooses."""

from __future__ import annotations

import importlib.util
import os
from typing import Any

BACKENDS = ("jax", "tensorflow")


def refuse(name: str, wanted: str, value: Any) -> None:
    """Raises `ValueError` about the command-line option of this setting."""
    option = "--" + name.replace("_", "-")
    raise ValueError(f"{option} must be {wanted}. Received: {value}")


def choose_backend(asked: str | None) -> Any:
    """The backend asked for, that of `KERAS_BACKEND`, or the first installed.

    Sets `KERAS_BACKEND`, so call it before Keras is imported.
    """
    installed = [name for name in BACKENDS if importlib.util.find_spec(name)]
    backend = asked or os.environ.get("KERAS_BACKEND")
    backend = backend or (installed[0] if installed else BACKENDS[0])
    option = "--backend" if asked else "KERAS_BACKEND"
    if backend not in BACKENDS:
        names = ", ".join(BACKENDS)
        raise ValueError(f"{option} must be one of {names}. Received: {backend}")
    if backend not in installed:
        raise ImportError(
            f"{option} {backend} is not installed. Install it with: "
            f'pip install "keras-cgru[{backend}]"'
        )
    os.environ["KERAS_BACKEND"] = backend
    return backend
