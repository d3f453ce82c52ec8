"""What the fields of a reading have in common: rules, and errors that name them."""

from __future__ import annotations

import math
from collections.abc import Iterable
from numbers import Real
from operator import index
from typing import Any, NoReturn

# Probabilities are often sums in single or half precision.
ROUNDING = 1e-3


def refuse(name: str, rule: str, received: object) -> NoReturn:
    """Raises the error of an argument that breaks a rule."""
    shown = repr(received)
    if len(shown) > 80:
        shown = f"{shown[:77]}..."
    raise ValueError(f"`{name}` must {rule}. Received: {shown}")


def as_tokens(name: str, tokens: Iterable[str]) -> tuple[str, ...]:
    """Strings, but not one string: its letters are no tokens."""
    if isinstance(tokens, str):
        refuse(name, "be a sequence of tokens", tokens)
    tokens = tuple(as_sequence(name, tokens))
    for token in tokens:
        if not isinstance(token, str):
            refuse(name, "hold strings", token)
    return tokens


def as_probability(name: str, value: Any) -> float:
    """A number from 0 to 1, give or take rounding."""
    if isinstance(value, bool) or not (isinstance(value, Real) or _is_scalar(value)):
        refuse(name, "be a number from 0 to 1", value)
    number = float(value)
    if not -ROUNDING <= number <= 1 + ROUNDING:  # False for NaN, too.
        refuse(name, "be a number from 0 to 1", value)
    return min(max(number, 0.0), 1.0)


def as_weight(name: str, value: Any) -> float | None:
    """A number from 0 to 1; None and NaN, which JSON lacks, say that there is none."""
    if value is None or (isinstance(value, Real) and math.isnan(value)):
        return None
    return as_probability(name, value)


def as_position(name: str, value: Any, end: int) -> int:
    """A whole number from 0 to below `end`."""
    number = as_int(name, value)
    if not 0 <= number < end:
        refuse(name, f"be from 0 to {end - 1}", value)
    return number


def as_int(name: str, value: Any) -> int:
    """A whole number of any integer type."""
    try:
        return index(value)
    except TypeError:
        refuse(name, "hold integers", value)


def as_sequence(name: str, values: Any) -> list[Any]:
    """The members of anything that can be gone through once, arrays included."""
    try:
        return list(values)
    except TypeError:
        refuse(name, "be a sequence", values)


def _is_scalar(value: Any) -> bool:
    """Whether it is an array of no dimension, as the backends give one."""
    return getattr(value, "shape", None) == ()
