"""What a run ran on, for its `config.json`."""

from __future__ import annotations

import importlib.metadata
import platform
from collections.abc import Mapping
from typing import Any

import keras

from keras_cgru.data import Splits
from keras_cgru.version import __version__

PACKAGES = ("keras", "numpy", "jax", "jaxlib", "tensorflow", "torch")


def environment() -> dict[str, Any]:
    """Backend, devices, and the versions of Python and the packages installed."""
    return {
        "backend": keras.backend.backend(),
        "devices": _devices(),
        "platform": platform.platform(),
        "versions": {
            "python": platform.python_version(),
            "keras_cgru": __version__,
            **_installed(),
        },
    }


def config(recipe: str, settings: Mapping[str, Any], splits: Splits) -> dict[str, Any]:
    """All that a run's `config.json` says.

    Args:
        recipe: The recipe's name.
        settings: Its options, by name.
        splits: What it trains and tests on.
    """
    return {
        "recipe": recipe,
        "settings": dict(settings),
        "data": splits.provenance(),
        **environment(),
    }


def _devices() -> list[str]:
    try:
        return keras.distribution.list_devices() or ["cpu:0"]
    except (AttributeError, NotImplementedError):
        # Keras lists no devices on PyTorch (3.15.1).
        return [f"{keras.backend.backend()}:unknown"]


def _installed() -> dict[str, str]:
    versions = {}
    for package in PACKAGES:
        try:
            versions[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            continue
    return versions
