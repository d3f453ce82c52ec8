"""What the files of a corpus are called, which are official, where they are had."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from keras_cgru.data.official import (
    Difference,
    OfficialFile,
    count_lines,
    official_difference,
)


@dataclass(frozen=True)
class Corpus:
    """A set of files as their official archive lays them out.

    Args:
        name: What runs and tables call it: "lambada".
        title: What people call it: "LAMBADA".
        folder: The folder that the archive unpacks to.
        wanted: What must be in it, for errors: "with a.txt and b.txt in it".
        locate: Takes a folder to the files that a corpus has there, by their role, in
            a fixed order. Files that are needed stand in it whether or not they
            exist; others only if they do.
        archives: SHA-256 by address, the best first. They are tried in this order.
        official: The official files, by role; others are not judged.
        records: What a file holds, in the plural: "passages".
        count_records: Counts them in a file.
        version_of: Names another known version by path and number of records.
    """

    name: str
    title: str
    folder: str
    wanted: str
    locate: Callable[[Path], Mapping[str, Path]]
    archives: Mapping[str, str]
    official: Mapping[str, OfficialFile] = field(default_factory=dict)
    records: str = "lines"
    count_records: Callable[[Path], int] = count_lines
    version_of: Callable[[Path, int], str | None] = lambda path, count: None

    def missing(self, folder: Path) -> list[Path]:
        """The files that are needed and are not in a folder."""
        return [path for path in self.locate(folder).values() if not path.is_file()]

    def differences(
        self, files: Mapping[str, Path], sha256: Mapping[str, str]
    ) -> dict[str, Difference]:
        """How files differ from the official ones, by role.

        Args:
            files: Files by role.
            sha256: The SHA-256 of each, by file name.
        """
        found = {}
        for role, path in files.items():
            if (official := self.official.get(role)) is None:
                continue
            difference = official_difference(
                path,
                sha256[path.name],
                official,
                self.records,
                self.count_records,
                self.version_of,
            )
            if difference is not None:
                found[role] = difference
        return found
