"""The options of a run, kept beside its output, so that a resume needs none of them."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterable
from typing import Any, TypeVar

from keras_cgru.coref.annotating.outputs.part_folder import read_config
from keras_cgru.files import to_path
from keras_cgru.files.outputs import follow_links

Settings = TypeVar("Settings", bound=Any)
# What a resumed run is told anew, or may be told otherwise.
_NOT_KEPT = frozenset("output resume overwrite skip_failed preview".split())
_PATHS = ("inputs", "annotations")


def options_to_keep(settings: Any) -> dict[str, Any]:
    """The options of a run, with paths that hold wherever it is resumed."""
    kept = {
        name: value
        for name, value in dataclasses.asdict(settings).items()
        if name not in _NOT_KEPT
    }
    return kept | {name: _absolute(kept[name], name) for name in _PATHS}


def restored(settings: Settings) -> Settings | None:
    """The options that the unfinished run beside an output was started with.

    Args:
        settings: The options that are given now, of which `output` counts.

    Returns:
        Settings of the same class; None where there is no such run.

    Raises:
        ValueError: `output` is an address, or the file was changed by others.
    """
    output = follow_links(to_path(settings.output, "output"), "output")
    names = {field.name for field in dataclasses.fields(settings)} - _NOT_KEPT
    usual = type(settings)()
    kept = {
        name: _checked(f"{output}.parts/config.json", name, value, getattr(usual, name))
        for name, value in read_config(output).items()
        if name in names
    }
    return dataclasses.replace(usual, **kept) if kept else None


def _checked(path: str, name: str, value: Any, usual: Any) -> Any:
    """A value as the settings have it; a list in the file is a tuple there."""
    if isinstance(usual, tuple):
        if isinstance(value, list) and all(isinstance(each, str) for each in value):
            return tuple(value)
        wanted = "a list of strings"
    else:
        if value is None or isinstance(value, str | int):
            return value
        wanted = "a string or a whole number"
    raise ValueError(f"{path}: `{name}` must be {wanted}. Received: {value!r:.80}")


def _absolute(paths: Iterable[str], name: str) -> list[str]:
    return [
        path if path == "-" else os.path.abspath(to_path(path, name)) for path in paths
    ]
