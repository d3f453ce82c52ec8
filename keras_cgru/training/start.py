"""What a recipe does before it reads or computes anything."""

from __future__ import annotations

from collections.abc import Sequence

from keras_cgru.backend import BACKENDS, choose_backend
from keras_cgru.training.keep_memory import keep_memory
from keras_cgru.training.threads import fix_threads


def start(
    backend: str | None, threads: int, allowed: Sequence[str] = BACKENDS
) -> tuple[str, int | None]:
    """Chooses the backend and fixes its threads; then Keras may be imported.

    Args:
        backend: The one asked for, or None.
        threads: To compute with; see `fix_threads`.
        allowed: The backends that the recipe runs on.

    Returns:
        The backend and the number of threads.

    Raises:
        ImportError: The backend is not installed, or `tensorboard` is not: that should
            show before an hour of training, and leave no folder behind.
        ValueError: See `choose_backend`.
    """
    chosen = choose_backend(backend, allowed)
    fixed = fix_threads(threads)
    keep_memory()

    from keras_cgru.callbacks.event_files import require_tensorboard

    require_tensorboard()
    return chosen, fixed
