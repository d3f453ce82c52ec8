"""Lines of a UTF-8 file, each with its number, whatever the locale says."""

from __future__ import annotations

import codecs
import os
from collections.abc import Iterator
from pathlib import Path


def read_lines(path: str | os.PathLike[str]) -> Iterator[tuple[int, str]]:
    """Yields the lines of a text file without their ends.

    Only LF, CRLF and a lone CR end a line. `str.splitlines` would break at U+2028,
    U+0085 and others too, which do occur inside a passage.

    Args:
        path: The file; a byte order mark at its start is skipped.

    Yields:
        Line number, from 1, and text; a last line without an end counts as one.

    Raises:
        FileNotFoundError: There is no such file.
        ValueError: A line holds a NUL or bytes that are not UTF-8; the message names
            file and line.
    """
    content = Path(path).read_bytes().removeprefix(codecs.BOM_UTF8)
    lines = content.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
    if not lines[-1]:
        lines.pop()
    for number, line in enumerate(lines, start=1):
        if b"\0" in line:
            raise ValueError(f"{path}:{number}: must be text. Received: a NUL byte")
        try:
            yield number, line.decode("utf-8")
        except UnicodeDecodeError as error:
            raise ValueError(
                f"{path}:{number}: must be UTF-8. Received: byte "
                f"{line[error.start]:#04x} at column {error.start + 1}"
            ) from error
