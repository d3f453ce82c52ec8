"""The documents that are to be annotated, of several files."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from keras_cgru.coref.annotating.inputs.found import check_some_good
from keras_cgru.coref.annotating.inputs.input_kind import InputKind
from keras_cgru.coref.annotating.raw_document import RawDocument


def choose_kind(
    kinds: Mapping[str, InputKind],
    asked: str | None,
    paths: Iterable[str | os.PathLike[str]],
) -> InputKind:
    """The kind of some files: what is asked for, or what their names say.

    Args:
        kinds: All kinds by name; where several fit a name the last is taken.
        asked: What the user says; None leaves it to the names.
        paths: The files, at least one.

    Raises:
        ValueError: There is no such kind, a name says nothing, or the names say
            different things.
    """
    if asked is not None:
        if asked not in kinds:
            raise ValueError(
                f"`input` must be one of {', '.join(kinds)}. Received: {asked}"
            )
        return kinds[asked]
    found = {guess_kind(kinds, path) for path in paths}
    if len(found) > 1:
        raise ValueError(f"`inputs` must be of one kind. Received: {sorted(found)}")
    return kinds[found.pop()]


def guess_kind(kinds: Mapping[str, InputKind], path: str | os.PathLike[str]) -> str:
    """What a file seems to hold, by its name; standard input, "-", holds text.

    Raises:
        ValueError: The name says nothing.
    """
    if path == "-":
        return "text"
    name = Path(path).name.lower()
    for kind in reversed(list(kinds.values())):
        if kind.fits(name):
            return kind.name
    raise ValueError(
        f"`input` must say what {os.fspath(path)} holds. Received: no `input`, and a "
        "name that ends with none of .txt, .json, .parquet"
    )


class Inputs:
    """Documents of several files of one kind, in the order of the files.

    Args:
        kind: The kind.
        paths: The files, at least one.
        whole: Whether documents bring along what is held back from resolvers.

    Raises:
        FileNotFoundError: A file does not exist.
        ValueError: A file is no file of this kind, or holds no document that can be
            read; the message names file and line, or record.
        ImportError: Parquet is to be read without pyarrow.
    """

    def __init__(
        self,
        kind: InputKind,
        paths: Sequence[str | os.PathLike[str]],
        whole: bool = False,
    ) -> None:
        self.kind = kind
        self.paths = [Path(path) for path in paths]
        self._whole = whole
        self._documents: list[RawDocument] | None = None
        for path in self.paths:
            kind.check(path)
        if kind.size is not None:
            self._sizes = list(map(kind.size, self.paths))
            self.size = sum(self._sizes)
        else:
            self._documents = list(self._read())
            self.size = sum(document.size for document in self._documents)
        for path in self.paths:
            check_some_good(path, list(self._first_errors(path)))

    @property
    def largest(self) -> int:
        """The characters of the longest document, or of its file."""
        if self._documents is not None:
            return max(document.size for document in self._documents)
        if self.kind.largest is not None:
            return max(map(self.kind.largest, self.paths))
        return max(self._sizes)

    def __iter__(self) -> Iterator[RawDocument]:
        return self._read() if self._documents is None else iter(self._documents)

    def _first_errors(self, path: Path) -> Iterator[str | None]:
        """What is wrong with a file's documents, up to the first that is right."""
        held = self._documents
        for document in self.kind.read([path]) if held is None else held:
            if document.file == str(path):
                yield document.error
                if document.error is None:
                    return

    def _read(self) -> Iterator[RawDocument]:
        for document in self.kind.read(self.paths):
            yield (
                document if self._whole else dataclasses.replace(document, held_back=())
            )
