"""Text and JSON files in UTF-8, whatever the locale says."""

from __future__ import annotations

import json
import os
from typing import Any

from keras_cgru.files.text_lines import read_lines


def read_text(path: str | os.PathLike[str]) -> str:
    """Reads a text file; every line end becomes LF.

    Raises:
        FileNotFoundError: There is no such file.
        ValueError: It is not UTF-8 or holds a NUL; the message names file and line.
    """
    return "\n".join(line for _, line in read_lines(path))


def read_json_text(path: str | os.PathLike[str]) -> Any:
    """Reads a JSON file.

    Raises:
        FileNotFoundError: There is no such file.
        ValueError: It is no JSON in UTF-8; the message names file and line.
    """
    try:
        return json.loads(read_text(path))
    except json.JSONDecodeError as error:
        raise ValueError(
            f"{os.fspath(path)}:{error.lineno}: must be JSON. Received: {error.msg} at "
            f"column {error.colno}"
        ) from error
