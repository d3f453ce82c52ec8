"""A file of word vectors, as text, compressed or in a zip archive, and where it is."""

from __future__ import annotations

import errno
import gzip
import os
import re
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, cast

from keras_cgru.files import input_file

_TEXT = (".txt", ".vec")
_SUFFIXES = (*_TEXT, *(f"{suffix}.gz" for suffix in _TEXT), ".zip")
# No vector of 10,000 numbers is as long.
_LONGEST_LINE = 1 << 20
LOOKED_FOR = "vectors as .txt, .vec, one of these with .gz, or .zip with them in it"


@dataclass(frozen=True)
class VectorsFile:
    """Word vectors in the text format of GloVe, a word and its numbers a line.

    Args:
        path: A text file, or one compressed by gzip or zip, whatever its name ends in.
        member: The text's name within a zip archive; None in other files.
    """

    path: Path
    member: str | None = None

    @classmethod
    def of(cls, path: str | os.PathLike[str]) -> VectorsFile:
        """The vectors in a file; of several in an archive those of fewest dimensions.

        Raises:
            FileNotFoundError: There is no such file.
            ValueError: It is a damaged archive, or one without vectors.
        """
        file = input_file(path)
        if _magic(file) != b"PK":
            return cls(file)
        with _damage_named(file, "zip"), zipfile.ZipFile(file) as archive:
            names = [n for n in archive.namelist() if _is_vectors(n, _TEXT)]
        if not names:
            raise ValueError(
                f"{path}: must hold vectors as .txt or .vec. Received: an archive "
                "without any"
            )
        return cls(file, min(names, key=_by_dimension))

    @property
    def name(self) -> str:
        """Its file name, with that of the member where it is an archive."""
        return self.path.name + (f"/{self.member}" if self.member else "")

    def lines(self) -> Iterator[tuple[int, bytes]]:
        """Numbers and contents of the lines, read one by one.

        Raises:
            ValueError: The archive is damaged, or a line never ends.
        """
        with self._open() as file:
            number = 0
            while line := file.readline(_LONGEST_LINE):
                number += 1
                if len(line) == _LONGEST_LINE:
                    raise ValueError(
                        f"{self.path}:{number}: must be a line of text. Received: more "
                        f"than {_LONGEST_LINE:,} bytes, {line[:20]!r}..."
                    )
                yield number, line.rstrip(b"\r\n")

    @contextmanager
    def _open(self) -> Iterator[IO[bytes]]:
        if self.member is not None:
            with _damage_named(self.path, "zip"):
                with zipfile.ZipFile(self.path) as archive:
                    with archive.open(self.member) as file:
                        yield file
        elif _magic(self.path) == b"\x1f\x8b":
            with _damage_named(self.path, "gzip"), gzip.open(self.path) as text:
                yield cast(IO[bytes], text)
        else:
            with self.path.open("rb") as file:
                yield file


@contextmanager
def _damage_named(path: Path, kind: str) -> Iterator[None]:
    """Turns what Python says of a damaged archive into an error with its name."""
    try:
        yield
    except (
        *(EOFError, gzip.BadGzipFile, zlib.error, zipfile.BadZipFile, struct.error),
        # A password; a way of packing that Python does not know; a place out of range.
        *(RuntimeError, NotImplementedError, OverflowError, UnicodeDecodeError),
    ) as error:
        raise ValueError(f"{path}: must be a whole {kind} file: {error}") from error
    except OSError as error:
        if error.errno != errno.EINVAL:
            raise
        # A damaged directory sent the reader to a place before the file's start.
        raise ValueError(f"{path}: must be a whole {kind} file: {error}") from error


def find_vectors(folder: Path) -> VectorsFile | None:
    """Finds word vectors beside a corpus.

    Looked for are files of `LOOKED_FOR` in folders of the name `glove*`, at any depth,
    and files of the name `glove*` themselves. Where one is called "glove*" no other
    counts; of several that of the fewest dimensions is taken.

    Args:
        folder: The folder in which the corpus's own folder lies.

    Returns:
        The file; None where nothing in the folder is called `glove*`.

    Raises:
        FileNotFoundError: A folder `glove` is there, but no vectors in it.
        ValueError: See `VectorsFile.of`.
    """
    beside = sorted(p for p in folder.glob("*") if p.name.lower().startswith("glove"))
    folders = [path for path in beside if path.is_dir()]
    files = [path for path in beside if path.is_file()]
    files += [path for inner in folders for path in sorted(inner.rglob("*"))]
    found = [p for p in files if p.is_file() and _is_vectors(p.name, _SUFFIXES)]
    named = [path for path in found if path.name.lower().startswith("glove")]
    if best := min(named or found, key=lambda p: _by_dimension(p.name), default=None):
        return VectorsFile.of(best)
    for path in folders:
        if path.name == "glove":
            names = ", ".join(p.name for p in sorted(path.rglob("*"))) or "nothing"
            raise FileNotFoundError(
                f"{path}: must hold word {LOOKED_FOR}, or be left out. Received: "
                f"{names:.200}"
            )
    return None


def _is_vectors(name: str, suffixes: tuple[str, ...]) -> bool:
    last = name.lower().rpartition("/")[2]
    # What archives add: licences, and the shadow files of macOS.
    return last.endswith(suffixes) and not last.startswith(("license", "readme", "._"))


def _by_dimension(name: str) -> tuple[float, str]:
    found = re.search(r"\.(\d+)d\.", name)
    return (int(found[1]) if found else float("inf"), name)


def _magic(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(2)
