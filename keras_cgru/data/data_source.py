"""Where the files of a task were found."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

SourceKind = Literal["data-dir", "environment", "cache", "download"]


@dataclass(frozen=True)
class DataSource:
    """The files of a run and how they were found.

    Args:
        kind: "data-dir" (an argument), "environment" (`KERAS_CGRU_DATA`), "cache" (an
            earlier download) or "download" (just now).
        folder: The folder that holds the files.
        files: The files by their role: "development", "test" of LAMBADA, "qa1 train",
            ... of bAbI.
        glove: A file of word vectors, or None where there is none.
        sha256: The SHA-256 of each of these files, by file name, as found.
        reads_vectors: Whether word vectors belong to the corpus at all.
    """

    kind: SourceKind
    folder: Path
    files: Mapping[str, Path]
    glove: Path | None = None
    sha256: Mapping[str, str] = field(default_factory=dict)
    reads_vectors: bool = False

    def describe(self) -> str:
        """One line for the user: how and where the data was found."""
        vectors = f" (word vectors: {self.glove or 'none'})"
        return f"{self.kind}: {self.folder}{vectors if self.reads_vectors else ''}"


def sha256_of(path: Path) -> str:
    """The SHA-256 of a file in hexadecimal; reads it in pieces."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while piece := file.read(1 << 20):
            digest.update(piece)
    return digest.hexdigest()
