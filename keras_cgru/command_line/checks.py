"""Checks of settings that name the option on the command line."""

from __future__ import annotations

from typing import Any, NoReturn


def refuse(name: str, wanted: str, value: Any) -> NoReturn:
    """Raises `ValueError` about the command-line option of this setting."""
    option = "--" + name.replace("_", "-")
    raise ValueError(f"{option} must be {wanted}. Received: {value}")


def check_counts(settings: Any, names: str) -> None:
    """Refuses the first of these settings that is below 1; None is left out."""
    for name in names.split():
        if (count := getattr(settings, name)) is not None and count < 1:
            refuse(name, "at least 1", count)
