"""How the fields of a settings class become options."""

from __future__ import annotations

import dataclasses
import typing
from typing import Annotated, TypeVar

T = TypeVar("T")
_POSITIONAL = "positional"

try:
    import tyro
except ImportError:  # `run_command` says so.
    Positional = Annotated[T, _POSITIONAL]
else:
    Positional = Annotated[tyro.conf.Positional[T], _POSITIONAL]  # type: ignore[misc]


def shown_names(settings_type: type) -> dict[str, str]:
    """For each field what a user types: `--run-dir`; `INPUTS` for a positional one."""
    hints = typing.get_type_hints(settings_type, include_extras=True)
    shown = {}
    for field in dataclasses.fields(settings_type):
        positional = _POSITIONAL in getattr(hints[field.name], "__metadata__", ())
        # A field cannot be called `from`; `from_` stands for it.
        name = field.name.removesuffix("_")
        shown[name] = name.upper() if positional else f"--{name.replace('_', '-')}"
    return shown
