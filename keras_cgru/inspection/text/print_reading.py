"""Print a reading the way its stream can show it."""

from __future__ import annotations

import os
import shutil
import sys
from typing import Any, TextIO

from keras_cgru.inspection.reading import Reading
from keras_cgru.inspection.text.glyphs import UNICODE
from keras_cgru.inspection.text.view import MIN_WIDTH, as_text


def print_reading(
    reading: Reading,
    stream: TextIO | None = None,
    width: int | None = None,
    color: bool | None = None,
    **options: Any,
) -> None:
    """Prints `as_text(reading)`.

    Args:
        reading: What to show.
        stream: Where to; standard output when left out. One whose encoding lacks the
            signs that are used gets ASCII.
        width: Columns; the terminal's when left out, 88 where there is none.
        color: Whether to colour the chains. When left out, a terminal is coloured
            unless the environment variable `NO_COLOR` is set to anything, or `TERM` is
            "dumb".
        **options: Others of `as_text`.
    """
    stream = sys.stdout if stream is None else stream
    if width is None:
        width = max(shutil.get_terminal_size((88, 24)).columns, MIN_WIDTH)
    if color is None:
        color = wants_color(stream)
    options.setdefault("ascii", not _can_encode(stream))
    stream.write(as_text(reading, width, color, **options))


def wants_color(stream: TextIO) -> bool:
    """Whether a stream is a terminal whose user has not declined colours."""
    declined = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return stream.isatty() and not declined


def _can_encode(stream: TextIO) -> bool:
    signs = UNICODE.alpha + UNICODE.levels + "".join(UNICODE.arrows.values())
    try:
        signs.encode(getattr(stream, "encoding", None) or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
