"""What the files of a corpus are called and where they may be downloaded."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Corpus:
    """A set of files as their official archive lays them out.

    Args:
        folder: The folder that the archive unpacks to.
        wanted: What must be in it, for errors: "with a.txt and b.txt in it".
        locate: Takes a folder to the files that a corpus has there, by their role, in
            a fixed order. Files that are needed stand in it whether or not they
            exist; others only if they do.
        archives: SHA-256 by address, the best first. They are tried in this order.
        reads_vectors: Whether word vectors belong to it.
    """

    folder: str
    wanted: str
    locate: Callable[[Path], Mapping[str, Path]]
    archives: Mapping[str, str]
    reads_vectors: bool = False

    def missing(self, folder: Path) -> list[Path]:
        """The files that are needed and are not in a folder."""
        return [path for path in self.locate(folder).values() if not path.is_file()]
