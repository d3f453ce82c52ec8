"""What is known of a kind of input: how it is recognised, checked and read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from keras_cgru.coref.annotating.raw_document import RawDocument


def _says_nothing(name: str) -> bool:
    return False


@dataclass(frozen=True)
class InputKind:
    """A kind of file whose texts can be annotated.

    A data set that has files of its own makes one, and `tools/annotate.py` names it.

    Args:
        name: Its name on command lines.
        read: Takes the files, yields their documents in order; one that is broken has
            `error`. What ends a document and no resolver may see is `held_back`.
        fits: Whether a file's name, in lower case, is like one of this kind.
        check: Raises `ValueError` where a file is not what this kind demands.
        size: The characters of a file. Without it they are counted in the documents,
            which are held in memory for that.
        largest: The characters of a file's longest document; without it, of the file.
        tokenises: Whether its texts are yet to be split into tokens.
        whole_in: A format of output that has what is held back, if there is one.
    """

    name: str
    read: Callable[[Sequence[Path]], Iterator[RawDocument]]
    fits: Callable[[str], bool] = _says_nothing
    check: Callable[[Path], None] = lambda path: None
    size: Callable[[Path], int] | None = None
    largest: Callable[[Path], int] | None = None
    tokenises: bool = False
    whole_in: str | None = None

    @property
    def has_names(self) -> bool:
        """Whether its files can be told by their names."""
        return self.fits is not _says_nothing


def one_by_one(
    read: Callable[[Path], Iterable[RawDocument]],
) -> Callable[[Sequence[Path]], Iterator[RawDocument]]:
    """Reads files one after the other."""

    def read_all(paths: Sequence[Path]) -> Iterator[RawDocument]:
        for path in paths:
            yield from read(path)

    return read_all
