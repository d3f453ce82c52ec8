"""JSON files."""

from __future__ import annotations

import json
import math
import os
from typing import Any

from keras_cgru.files.atomic_write import atomic_write
from keras_cgru.files.paths import to_path


def write_json(path: str | os.PathLike[str], content: Any) -> None:
    """Writes indented JSON in UTF-8, replacing the file as a whole.

    NaN and infinities, which JSON lacks, become null.
    """
    text = json.dumps(_finite(content), indent=2, ensure_ascii=False, allow_nan=False)
    with atomic_write(path) as file:
        file.write(text.encode("utf-8") + b"\n")


def read_json(path: str | os.PathLike[str]) -> Any:
    """Reads a JSON file; a broken one raises `ValueError` with its name."""
    return parse_json(to_path(path).read_bytes(), path)


def parse_json(content: bytes | str, where: str | os.PathLike[str]) -> Any:
    """What JSON says; NaN and infinities, which others write, are read.

    Args:
        content: The text.
        where: What errors name: the file, or file and line.

    Raises:
        ValueError: It is no JSON in UTF-8. Lists within lists that are too deep for
            Python and numbers of thousands of digits are none either. The message says
            where, and does not repeat the text.
    """
    try:
        text = content if isinstance(content, str) else content.decode("utf-8-sig")
        return json.loads(text)
    except RecursionError:
        error: Exception = ValueError("lists or objects nested too deeply")
    except UnicodeDecodeError as found:
        line = content[: found.start].count(b"\n") + 1  # type: ignore[arg-type]
        error = ValueError(f"{found.reason}, which is no utf-8, in line {line}")
    except ValueError as found:  # A `JSONDecodeError` is one.
        error = found
    raise ValueError(f"{where}: must be JSON in UTF-8. Received: {error}") from error


def _finite(content: Any) -> Any:
    if isinstance(content, float):
        return content if math.isfinite(content) else None
    if isinstance(content, dict):
        return {key: _finite(value) for key, value in content.items()}
    if isinstance(content, list | tuple):
        return [_finite(value) for value in content]
    return content
