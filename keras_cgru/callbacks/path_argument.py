"""A callback's path, which may be set anew at any time."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from keras_cgru.files import to_path


class PathArgument:
    """An attribute of a class that is a `Path` however it is given.

    Tuners set attributes such as `log_dir` to a string after a callback was made.
    """

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, instance: Any, owner: type | None = None) -> Path:
        path: Path = instance.__dict__[self._name]
        return path

    def __set__(self, instance: Any, value: str | os.PathLike[str]) -> None:
        instance.__dict__[self._name] = to_path(value, self._name)
