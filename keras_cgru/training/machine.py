"""What a run ran on, for its `config.json`."""

from __future__ import annotations

import importlib.metadata
import os
import platform
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import keras

from keras_cgru.data import Splits
from keras_cgru.version import __version__

PACKAGES = ("keras", "numpy", "jax", "jaxlib", "tensorflow", "torch")


def environment() -> dict[str, Any]:
    """Backend, devices, processor, and the versions of Python and the packages.

    On processors of another kind a library may add in another order, and the last
    digits of a training differ.
    """
    return {
        "backend": keras.backend.backend(),
        "devices": _devices(),
        "platform": platform.platform(),
        "processor": _processor(),
        "cores": os.cpu_count(),
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


def _processor() -> str:
    """Its name; that of its architecture where the system tells no more."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = (line.partition(":")[2] for line in lines if line.startswith("model name"))
    return next(names, "").strip() or platform.processor() or platform.machine()


def _installed() -> dict[str, str]:
    versions = {}
    for package in PACKAGES:
        try:
            versions[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            continue
    return versions
