"""Whether a data file is the official one."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final, NamedTuple

UNOFFICIAL = "unofficial"
SIMULATED: Final = "simulated"


class OfficialFile(NamedTuple):
    """What is known of a file of an official archive.

    Args:
        sha256: Its SHA-256; None where only the number of its records is known.
        num_records: How many passages or questions it holds.
    """

    sha256: str | None
    num_records: int


class Difference(NamedTuple):
    """How a file differs from the official one.

    Args:
        version: What it is instead: "en-10k", or "unofficial" where nothing is known.
        text: What differs, for people.
    """

    version: str
    text: str


def official_difference(
    path: Path,
    sha256: str,
    official: OfficialFile,
    records: str,
    count_records: Callable[[Path], int],
    version_of: Callable[[Path, int], str | None] = lambda path, count: None,
) -> Difference | None:
    """Compares a file with the official one; None where it is that.

    Args:
        path: The file.
        sha256: Its SHA-256.
        official: What is known of the official file.
        records: What it holds, in the plural, for people.
        count_records: Counts them in a file.
        version_of: Names another known version by path and number of records.
    """
    if sha256 == official.sha256:
        return None
    count = count_records(path)
    if count != official.num_records:
        text = f"{path.name} has {count:,} {records}, not {official.num_records:,}"
    elif official.sha256 is None:
        return None
    else:
        text = f"{path.name} has other content (SHA-256 {sha256[:12]}...)"
    return Difference(version_of(path, count) or UNOFFICIAL, text)


def count_lines(path: Path, containing: bytes = b"") -> int:
    """How many lines of a file are not blank and contain these bytes."""
    with path.open("rb") as file:
        return sum(containing in line and not line.isspace() for line in file)


def label_of(name: str, differences: Mapping[str, Difference]) -> str:
    """`name` where there are none, else with the version: "babi-en-10k"."""
    versions = {difference.version for difference in differences.values()}
    # The test file of another version differs, too, in nothing but its content.
    named = versions - {UNOFFICIAL} or versions
    if not named:
        return name
    return f"{name}-{named.pop() if len(named) == 1 else UNOFFICIAL}"


def caution_of(label: str, name: str, limit: int | None = None) -> str:
    """What must be said beside every figure; nothing for all of the official data.

    Args:
        label: See `label_of`; or "simulated".
        name: That of the corpus.
        limit: At most so many of each file were taken; None: all.
    """
    said = []
    if label == SIMULATED:
        said.append("SIMULATED stories")
    elif label != name:
        said.append(f"NOT the official files: {label.removeprefix(f'{name}-')}")
    if limit is not None:
        said.append(f"the FIRST {limit:,} of each file")
    return ", ".join(said)


def sha256_of(path: Path) -> str:
    """The SHA-256 of a file in hexadecimal; reads it in pieces."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
