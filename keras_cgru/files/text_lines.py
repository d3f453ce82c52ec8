"""Lines of a UTF-8 file, each with its number, whatever the locale says."""

from __future__ import annotations

import codecs
import io
import os
from collections.abc import Iterator
from typing import BinaryIO

from keras_cgru.files.paths import to_path

_BYTE_ORDER_MARK = codecs.BOM_UTF8.decode("latin-1")


def read_lines(path: str | os.PathLike[str]) -> Iterator[tuple[int, str]]:
    """Yields the lines of a text file without their ends, one in memory at a time.

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
    with open(to_path(path), "rb") as file:
        yield from split_lines(file, path)


def read_lines_or_errors(
    path: str | os.PathLike[str],
) -> Iterator[tuple[int, str | ValueError]]:
    """The same, with the error in the place of a line that is no text."""
    with open(to_path(path), "rb") as file:
        yield from split_lines_or_errors(file, path)


def split_lines(
    file: BinaryIO, name: str | os.PathLike[str]
) -> Iterator[tuple[int, str]]:
    """As `read_lines`, of an open file that errors call by `name`."""
    for number, line in split_lines_or_errors(file, name):
        if isinstance(line, ValueError):
            raise line
        yield number, line


def split_lines_or_errors(
    file: BinaryIO, name: str | os.PathLike[str]
) -> Iterator[tuple[int, str | ValueError]]:
    """As `read_lines_or_errors`, of an open file that errors call by `name`."""
    # Latin-1 keeps every byte as it is while the lines are found.
    text = io.TextIOWrapper(file, encoding="latin-1", newline=None)
    for number, line in enumerate(text, start=1):
        if number == 1:
            line = line.removeprefix(_BYTE_ORDER_MARK)
            if not line:
                return
        line = line.removesuffix("\n")
        is_plain = line.isascii() and "\0" not in line
        yield number, line if is_plain else _decode(line, f"{name}:{number}")


def _decode(line: str, where: str) -> str | ValueError:
    if "\0" in line:
        return ValueError(f"{where}: must be text. Received: a NUL byte")
    content = line.encode("latin-1")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        return ValueError(
            f"{where}: must be UTF-8. Received: byte {content[error.start]:#04x} at "
            f"column {error.start + 1}"
        )
