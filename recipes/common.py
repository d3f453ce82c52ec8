"""What the recipes' command lines share; needs no Keras, whose backend it chooses."""

from __future__ import annotations

import importlib.util
import os
from typing import Any, Literal

BACKENDS = ("jax", "tensorflow")
# The mentions that a sieve links.
Link = Literal["names", "nouns", "pronouns", "speakers"]
LINKS: tuple[Link, ...] = ("names", "nouns", "pronouns", "speakers")


def refuse(name: str, wanted: str, value: Any) -> None:
    """Raises `ValueError` about the command-line option of this setting."""
    option = "--" + name.replace("_", "-")
    raise ValueError(f"{option} must be {wanted}. Received: {value}")


def check_counts(settings: Any, names: str) -> None:
    """Refuses the first of these settings that is below 1; None is left out."""
    for name in names.split():
        if (count := getattr(settings, name)) is not None and count < 1:
            refuse(name, "at least 1", count)


def make_resolver(settings: Any) -> Any:
    """The resolver of the options `resolver`, `links` and `annotations`.

    Choose the backend first: the package imports Keras.
    """
    from keras_cgru.coref import ExactMatchResolver, RandomLinksResolver
    from keras_cgru.coref.annotating.stored_annotations import StoredAnnotations
    from keras_cgru.coref.sieve import SieveResolver

    if settings.annotations:
        return StoredAnnotations(settings.annotations)
    if settings.resolver == "sieve":
        return SieveResolver(settings.links)
    exact = ExactMatchResolver()
    return RandomLinksResolver(exact) if settings.resolver == "random" else exact


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
