"""JSON files."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from keras_cgru.files.atomic_write import atomic_write


def write_json(path: str | os.PathLike[str], content: Any) -> None:
    """Writes indented JSON in UTF-8, replacing the file as a whole."""
    text = json.dumps(content, indent=2, ensure_ascii=False)
    with atomic_write(path) as file:
        file.write(text.encode("utf-8") + b"\n")


def read_json(path: str | os.PathLike[str]) -> Any:
    """Reads a JSON file; a broken one raises `ValueError` with its name."""
    try:
        return json.loads(Path(path).read_text(encoding="utf-8"))
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"{path}: must be JSON in UTF-8. Received: {error}") from error
