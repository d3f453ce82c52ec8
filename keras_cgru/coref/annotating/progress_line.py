"""A line on standard error that says how far a long run is."""

from __future__ import annotations

import sys
import time
from typing import TextIO


class ProgressLine:
    """Writes how much is done, how fast, and when it will be.

    On a terminal one line that is written anew, elsewhere a line every ten seconds.

    Args:
        total: What there is to do, in characters.
        stream: Where to write; standard error by default.
    """

    def __init__(self, total: int, stream: TextIO | None = None) -> None:
        self._total = total
        self._done = self._before = 0
        self._tokens = 0
        self._stream = sys.stderr if stream is None else stream
        self._terminal = self._stream.isatty()
        self._start = time.monotonic()
        self._written = self._start

    @property
    def seconds(self) -> float:
        """Seconds since the start."""
        return time.monotonic() - self._start

    def skip(self, characters: int) -> None:
        """Counts what an earlier run did."""
        self._done += characters
        self._before += characters

    def add(self, characters: int, tokens: int) -> None:
        """Counts what was just done, and now and then writes the line."""
        self._done += characters
        self._tokens += tokens
        now = time.monotonic()
        if now - self._written >= (0.5 if self._terminal else 10):
            self._written = now
            end = "\r" if self._terminal else "\n"
            print(self.line() + " " * 8 * self._terminal, end=end, file=self._stream)
            self._stream.flush()

    def line(self) -> str:
        """What is written."""
        share = self._done / self._total if self._total else 1.0
        rate = self._tokens / self.seconds if self.seconds else 0.0
        return f"{share:5.1%}  {rate:,.0f} tokens/s  {self._remaining()} left"

    def close(self) -> None:
        """Leaves the line that a terminal shows."""
        if self._terminal and self._written > self._start:
            print(file=self._stream)

    def _remaining(self) -> str:
        here = self._done - self._before
        if not here:
            return "?"
        seconds = round(self.seconds * (self._total - self._done) / here)
        minutes, seconds = divmod(max(seconds, 0), 60)
        hours, minutes = divmod(minutes, 60)
        return f"{hours}:{minutes:02}:{seconds:02}"
