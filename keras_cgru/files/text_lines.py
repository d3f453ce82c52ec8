"""Lines of a UTF-8 file, each with its number, whatever the locale says."""

from __future__ import annotations

import codecs
import os
from collections.abc import Iterator

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
    # Latin-1 keeps every byte as it is while the lines are found.
    with open(to_path(path), encoding="latin-1", newline=None) as file:
        for number, line in enumerate(file, start=1):
            if number == 1:
                line = line.removeprefix(_BYTE_ORDER_MARK)
                if not line:
                    return
            line = line.removesuffix("\n")
            if "\0" in line:
                raise ValueError(f"{path}:{number}: must be text. Received: a NUL byte")
            yield number, line if line.isascii() else _decode(line, f"{path}:{number}")


def _decode(line: str, where: str) -> str:
    content = line.encode("latin-1")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(
            f"{where}: must be UTF-8. Received: byte {content[error.start]:#04x} at "
            f"column {error.start + 1}"
        ) from error
