"""A file format for coreference annotations."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from keras_cgru.coref.document import Document
from keras_cgru.coref.formats.records import Record, documents_of


@dataclass(frozen=True)
class Format:
    """What reads and what writes a format.

    Args:
        name: Its name on command lines.
        description: One line on what files of it hold.
        records: Takes a path, yields what the file holds, broken records too. A file
            without any is refused where it cannot be told from what a failed run
            leaves.
        write: Takes a path and documents; None where a format is only read.
        files: The files that one of this format consists of, the given one first.
    """

    name: str
    description: str
    records: Callable[[str | os.PathLike[str]], Iterator[Record]]
    write: Callable[[str | Path, Iterable[Document]], Any] | None
    files: Callable[[str | os.PathLike[str]], list[Path]] = lambda path: [Path(path)]

    def read(self, path: str | os.PathLike[str]) -> list[Document]:
        """All documents of a file.

        Raises:
            FileNotFoundError: There is no such file.
            ValueError: A record is broken; the message names file and line.
        """
        return documents_of(self.records, path)
