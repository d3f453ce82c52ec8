"""Which Keras backend runs; found without importing Keras, which asks only once."""

from __future__ import annotations

import importlib.util
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

BACKENDS = ("jax", "tensorflow", "torch")


def installed_backends(allowed: Sequence[str] = BACKENDS) -> tuple[str, ...]:
    """Those of the backends that can be imported here, in this order."""
    return tuple(name for name in allowed if importlib.util.find_spec(name))


def choose_backend(asked: str | None = None, allowed: Sequence[str] = BACKENDS) -> str:
    """The backend asked for, that of `KERAS_BACKEND`, or one that is installed.

    Of those installed, the one that `keras.json` names comes first (Keras's own
    default, TensorFlow, is often not installed), then the first of `allowed`.
    Sets `KERAS_BACKEND`, so call it before Keras is imported. Where Keras is imported
    already its backend is the answer.

    Args:
        asked: The user's choice, or None.
        allowed: The backends that will do.

    Raises:
        ImportError: It is not installed, or none of `allowed` is; the message has the
            line to type.
        ValueError: It is not one of `allowed`, or Keras runs on another already.
    """
    backend, said_by = asked or os.environ.get("KERAS_BACKEND"), "KERAS_BACKEND"
    if asked:
        said_by = "`backend`"
    if active := _active():
        if asked not in (None, active):
            raise ValueError(
                f"`backend` must be {active}, on which Keras runs in this process. "
                f"Received: {asked}"
            )
        backend, said_by = active, "The active Keras backend"
    installed = installed_backends(allowed)
    if not backend:
        configured = _configured()
        backend = configured if configured in installed else None
    backend = backend or (installed[0] if installed else allowed[0])
    if backend not in allowed and not installed and not asked:
        # `KERAS_BACKEND` may be our own choice among those installed.
        raise ImportError(
            f"None of the backends {', '.join(allowed)} is installed, and {backend} "
            f'will not do. Install one with: pip install "keras-cgru[{allowed[0]}]"'
        )
    if backend not in allowed:
        raise ValueError(
            f"{said_by} must be one of {', '.join(allowed)}. Received: {backend}"
        )
    if backend not in installed:
        raise ImportError(
            f"{said_by} {backend} is not installed. Install it with: "
            f'pip install "keras-cgru[{backend}]"'
        )
    os.environ["KERAS_BACKEND"] = backend
    return backend


def prefer_installed_backend() -> None:
    """Sets `KERAS_BACKEND` where Keras would choose one that is not installed.

    Without the variable and without `keras.json` that is TensorFlow (Keras 3.15.1),
    whatever there is. Does nothing where Keras is imported already, where the variable
    is set, or where no backend is installed.
    """
    if "keras" in sys.modules or os.environ.get("KERAS_BACKEND"):
        return
    installed = installed_backends()
    default = _configured() or "tensorflow"
    if installed and default in BACKENDS and default not in installed:
        os.environ["KERAS_BACKEND"] = installed[0]


def _active() -> str | None:
    """The backend of a Keras that is imported wholly."""
    module: Any = getattr(sys.modules.get("keras"), "backend", None)
    return module.backend() if hasattr(module, "backend") else None


def _configured() -> str | None:
    """What the user's `keras.json` says, where Keras would look for it."""
    home = os.environ.get("KERAS_HOME") or Path("~", ".keras").expanduser()
    try:
        content = json.loads(Path(home, "keras.json").read_text(encoding="utf-8"))
        backend = content.get("backend")
    except (OSError, ValueError, AttributeError, RecursionError):
        return None  # Keras itself reads past a broken one.
    return backend if isinstance(backend, str) else None
