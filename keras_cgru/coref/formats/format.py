"""A file format for coreference annotations."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from keras_cgru.coref.document import Document


@dataclass(frozen=True)
class Format:
    """What reads and what writes a format.

    Args:
        name: Its name on command lines.
        description: One line on what files of it hold.
        read: Takes a path, returns the documents of the file. A file without any is
            refused where it cannot be told from what a failed run leaves.
        write: Takes a path and documents; None where a format is only read.
    """

    name: str
    description: str
    read: Callable[[str | Path], list[Document]]
    write: Callable[[str | Path, Iterable[Document]], Any] | None
