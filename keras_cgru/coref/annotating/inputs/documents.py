"""The documents of a run, wherever they and their clusters come from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from keras_cgru.coref.annotating.inputs.each_document import Inputs
from keras_cgru.coref.annotating.inputs.found import (
    as_they_are,
    attach,
    read_found,
    remarks,
)
from keras_cgru.coref.annotating.inputs.input_kind import InputKind
from keras_cgru.coref.annotating.pieces.cut_pieces import LARGE_CHARACTERS, Pieces
from keras_cgru.coref.annotating.raw_document import RawDocument
from keras_cgru.coref.annotating.resolver_settings import ResolverSettings


@dataclass(frozen=True)
class Work:
    """What is to be annotated, and how.

    Args:
        resolver: The resolver; None where clusters are brought along.
        kind: What the inputs hold; None where there are none.
        inputs: The input files.
        system: The format of the files that clusters are brought along in.
        annotations: These files.
        whole: Whether documents end with what no resolver saw.
        limit: How many documents are annotated; None for all.
    """

    resolver: ResolverSettings | None
    kind: InputKind | None
    inputs: Sequence[Path]
    system: str | None = None
    annotations: Sequence[Path] = ()
    whole: bool = False
    limit: int | None = None


@dataclass(frozen=True)
class Documents:
    """Documents as they are to be annotated, and what must be known of them.

    Args:
        each: The documents, and pieces of those that are too long.
        size: Their characters.
        matched: By what the documents of another system were matched, if they were.
        pieces: How long documents are cut, where one is long enough.
        remarks: What should be said.
    """

    each: Iterator[RawDocument]
    size: int
    matched: str | None = None
    pieces: Pieces | None = None
    remarks: tuple[str, ...] = ()

    def first(self, count: int | None) -> Iterator[RawDocument]:
        """So many documents from the start, with all their pieces; None gives all."""
        for document in self.each:
            if document.piece is None or not document.piece.number:
                if count == 0:
                    return
                count = None if count is None else count - 1
            yield document


def read_documents(work: Work) -> Documents:
    """Reads what is to be annotated, as far as is needed to know how much it is.

    Raises:
        FileNotFoundError, ImportError, ValueError: See `Inputs`, `read_found` and
            `attach`.
    """
    if work.system is None:
        assert work.kind is not None  # There is nothing else to read.
        return _of_inputs(work, Inputs(work.kind, work.inputs, work.whole))
    found = read_found(work.system, work.annotations)
    said = tuple(remarks(found))
    if work.kind is None:
        held = list(islice(as_they_are(found), work.limit))
        return Documents(iter(held), _size(held), remarks=said)
    inputs = Inputs(work.kind, work.inputs, work.whole)
    held, matched = attach(inputs, found, work.limit)
    said = (*said, f"Documents are matched by {matched}.")
    return Documents(iter(held), _size(held), matched, remarks=said)


def _of_inputs(work: Work, inputs: Inputs) -> Documents:
    documents, size, largest = iter(inputs), inputs.size, inputs.largest
    if work.limit is not None:
        held = list(islice(inputs, work.limit))
        documents, size = iter(held), _size(held)
        largest = max((document.size for document in held), default=0)
    pieces = Pieces.choose(work.resolver)
    if not inputs.kind.tokenises or largest <= (pieces or Pieces()).large:
        return Documents(documents, size)
    if pieces is None:
        said = (
            f"Documents of more than {LARGE_CHARACTERS:,} characters are read as a "
            "whole, which takes memory and shows no progress within one; `window` "
            "reads them in pieces."
        )
        return Documents(documents, size, remarks=(said,))
    said = (
        f"Documents of more than {pieces.large:,} characters are read in pieces of "
        f"{pieces.size:,}; a `window` of more tokens makes these longer."
    )
    return Documents(pieces.of(documents), size, pieces=pieces, remarks=(said,))


def _size(documents: Sequence[RawDocument]) -> int:
    return sum(document.size for document in documents)
