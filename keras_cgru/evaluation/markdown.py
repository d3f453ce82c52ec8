"""Tables in Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any


def table(head: Sequence[Any], rows: Iterable[Sequence[Any]]) -> str:
    """A table of one line a row; values are written as `str` writes them.

    A bar or a line's end within a value does not end its cell.
    """
    lines = [_row(head), "|---" * len(head) + "|", *map(_row, rows)]
    return "\n".join(lines)


def _row(values: Sequence[Any]) -> str:
    cells = (" ".join(str(value).splitlines()).replace("|", "\\|") for value in values)
    return f"| {' | '.join(cells)} |"


def span(values: Iterable[int]) -> str:
    """As "3", or "3 to 1,000" where they differ."""
    found = list(values)
    low, high = min(found), max(found)
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"
