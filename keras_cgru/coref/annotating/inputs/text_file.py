"""Text files in UTF-8, whatever the locale says."""

from __future__ import annotations

import os

from keras_cgru.files.text_lines import read_lines


def read_text(path: str | os.PathLike[str]) -> str:
    """Reads a text file; every line end becomes LF.

    Raises:
        FileNotFoundError: There is no such file.
        ValueError: It is not UTF-8 or holds a NUL; the message names file and line.
    """
    return "\n".join(line for _, line in read_lines(path))
