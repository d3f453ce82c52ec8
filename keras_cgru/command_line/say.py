"""What a command tells beside its results."""

from __future__ import annotations

import sys


def say(text: object) -> None:
    """Prints to standard error, which stays out of redirected results."""
    print(text, file=sys.stderr)
