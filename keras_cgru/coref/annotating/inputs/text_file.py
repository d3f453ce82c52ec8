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
    text = read_text(path)
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise ValueError(
            f"{os.fspath(path)}:{error.lineno}: must be JSON. Received: {error.msg} at "
            f"column {error.colno}"
        ) from error
    except (RecursionError, ValueError) as error:
        # Nested too deeply, or a number of thousands of digits.
        raise ValueError(
            f"{os.fspath(path)}: must be JSON of a sensible size. Received: {error}"
        ) from error
