"""The one check of the shapes that a layer of several inputs is called with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def check_shapes(
    caller: str, shapes: Any, wanted: Mapping[str, tuple[str, ...]]
) -> None:
    """Raises `ValueError` unless the shapes are those wanted.

    Args:
        caller: Name of the layer.
        shapes: What Keras gives to `build`.
        wanted: The axes of each input by name; axes of one name are of one length.
    """
    if not _fit(shapes, list(wanted.values())):
        forms = [f"({', '.join(axes)})" for axes in wanted.values()]
        raise ValueError(
            f"{caller} must be called with `[{', '.join(wanted)}]` of shapes "
            f"{', '.join(forms[:-1])} and {forms[-1]}. Received: shapes={shapes}"
        )


def _fit(shapes: Any, wanted: list[tuple[str, ...]]) -> bool:
    if not isinstance(shapes, (list, tuple)) or len(shapes) != len(wanted):
        return False
    lengths: dict[str, int] = {}
    for shape, axes in zip(shapes, wanted, strict=True):
        if not isinstance(shape, (list, tuple)) or len(shape) != len(axes):
            return False
        for axis, length in zip(axes, shape, strict=True):
            # The length of an axis may not be known yet.
            if length is not None and lengths.setdefault(axis, length) != length:
                return False
    return True
