"""How the fields of a settings class become options."""

from __future__ import annotations

import dataclasses
import typing
from typing import Annotated, TypeVar

T = TypeVar("T")
_POSITIONAL, _FLAT = "positional", "flat"

try:
    import tyro
except ImportError:  # `run_command` says so.
    Positional = Annotated[T, _POSITIONAL]
    Flat = Annotated[T, _FLAT]
else:
    Positional = Annotated[tyro.conf.Positional[T], _POSITIONAL]  # type: ignore[misc]
    # The fields of a settings class inside another, as options without its name in
    # front; those that are bool take True or False.
    Flat = Annotated[  # type: ignore[misc]
        tyro.conf.OmitArgPrefixes[tyro.conf.FlagConversionOff[T]],  # type: ignore[misc]
        _FLAT,
    ]


def shown_names(settings_type: type) -> dict[str, str]:
    """For each field what a user types: `--run-dir`; `INPUTS` for a positional one."""
    hints = typing.get_type_hints(settings_type, include_extras=True)
    shown: dict[str, str] = {}
    for field in dataclasses.fields(settings_type):
        hint = hints[field.name]
        marks = getattr(hint, "__metadata__", ())
        if _FLAT in marks:
            shown |= shown_names(hint.__origin__)
            continue
        positional = _POSITIONAL in marks
        # A field cannot be called `from`; `from_` stands for it.
        name = field.name.removesuffix("_")
        shown[name] = name.upper() if positional else f"--{name.replace('_', '-')}"
    return shown
