"""Standard output and errors that can print anything and may go away."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO


class _Descriptor(io.FileIO):
    """An open file of the process, such as 1, that may be a pipe nobody reads.

    Args:
        number: The descriptor; it stays open.
        silent: Whether what cannot be written is lost without an error.
    """

    def __init__(self, number: int, silent: bool) -> None:
        super().__init__(number, "wb", closefd=False)
        self.silent = silent
        self.reader_left = False

    def write(self, data: Any) -> int:  # type: ignore[override]
        try:
            return super().write(data)
        except OSError as error:
            self.reader_left = isinstance(error, BrokenPipeError)
            if not (self.silent or self.reader_left):
                raise
            # What is still buffered, or printed by others, goes nowhere from now on.
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, self.fileno())
            os.close(nowhere)
            if not self.silent:
                raise
            return len(data)


class Console:
    """What became of standard output."""

    def __init__(self, output: _Descriptor | None) -> None:
        self._output = output

    @property
    def reader_left(self) -> bool:
        """Whether standard output was a pipe whose reader has closed it."""
        return self._output is not None and self._output.reader_left


@contextmanager
def console(silent: bool = False) -> Iterator[Console]:
    """Within the block, any text can be printed to `sys.stdout` and `sys.stderr`.

    A character that the encoding lacks is printed as an escape, and a line shows at
    once in a file or a pipe, too. Streams that others have put in the place of these
    two are left as they are.

    Args:
        silent: What is printed when nobody reads standard output any more (or its disk
            is full, its terminal gone) is lost, and the work goes on; otherwise
            `BrokenPipeError` ends it. Errors are always printed as if so.
    """
    before = sys.stdout, sys.stderr
    sys.stdout, output = _printing(sys.stdout, silent)
    sys.stderr, _ = _printing(sys.stderr, silent=True)
    try:
        yield Console(output)
    finally:
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError, ValueError, AttributeError):
                stream.flush()
        sys.stdout, sys.stderr = before


def _printing(stream: TextIO, silent: bool) -> tuple[TextIO, _Descriptor | None]:
    # A notebook's stream, a StringIO and None (no console) print anything.
    if not isinstance(stream, io.TextIOWrapper):
        return stream, None
    stream.flush()
    try:
        output = _Descriptor(stream.fileno(), silent)
    except OSError:  # A stand-in without a file, as in tests.
        stream.reconfigure(errors="backslashreplace", line_buffering=True)
        return stream, None
    printing = io.TextIOWrapper(
        io.BufferedWriter(output),
        encoding=stream.encoding,
        errors="backslashreplace",
        line_buffering=True,
    )
    return printing, output
