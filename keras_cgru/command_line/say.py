"""What a command tells beside its results."""

from __future__ import annotations

import io
import sys


def say(text: object) -> None:
    """Prints to standard error, which stays out of redirected results."""
    print(text, file=sys.stderr)


def print_in_utf8() -> None:
    """Shows texts as they are, whatever the locale says."""
    if isinstance(sys.stdout, io.TextIOWrapper):  # Not a notebook's, say.
        sys.stdout.reconfigure(encoding="utf-8")
