"""What was received, short enough for a message."""

from __future__ import annotations

import reprlib
from typing import Any

_SHORT = reprlib.Repr()
_SHORT.maxlevel = 2
_SHORT.maxstring = _SHORT.maxother = 120
_SHORT.maxlong = 40


def short(value: Any) -> str:
    """The `repr` of a value, with its middle left out where it is long."""
    if isinstance(value, bytes):
        value = value[: _SHORT.maxstring].decode("latin-1")
    return _SHORT.repr(value)
