"""Brings another system's output together with the dataset's documents."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from keras_cgru.coref.annotating.raw_document import RawDocument
from keras_cgru.coref.document import Document
from keras_cgru.coref.formats import FORMATS


def read_found(system: str, paths: Sequence[str | os.PathLike[str]]) -> list[Document]:
    """Reads what another system wrote.

    Args:
        system: Its format, a name in `FORMATS`.
        paths: Its files, in the order of the dataset's documents.

    Raises:
        FileNotFoundError: A file does not exist.
        ValueError: A file is broken, or there is no such format.
    """
    if system not in FORMATS:
        raise ValueError(
            f"--from must be one of {', '.join(FORMATS)}. Received: {system}"
        )
    read = [(path, FORMATS[system].read(path)) for path in map(Path, paths)]
    documents = [document for _, each in read for document in each]
    if len({document.id for document in documents}) == len(documents):
        return documents
    # Where files only number their documents, the files tell these apart.
    return [
        dataclasses.replace(document, id=f"{path.stem}-{document.id}")
        for path, each in read
        for document in each
    ]


def attach(
    documents: Iterable[RawDocument],
    found: Sequence[Document],
    limit: int | None = None,
) -> tuple[list[RawDocument], str]:
    """Gives each document what the system found in it.

    Documents are matched by their ids if the system's output has all of them, and
    otherwise by their order, which many formats alone have.

    Args:
        documents: The dataset's documents.
        found: The system's: of all documents, or of those within the limit.
        limit: Attaches to only so many documents from the start.

    Returns:
        The documents with `found`, and by what they were matched: "id" or "order".

    Raises:
        ValueError: Neither is possible: the numbers of documents differ.
    """
    every = list(documents)
    documents = every[:limit]
    by_id = {document.id: document for document in found}
    if len(by_id) == len(found) and all(each.id in by_id for each in documents):
        ordered: Sequence[Document] = [by_id[each.id] for each in documents]
        how = "id"
    elif len(found) in (len(documents), len(every)):
        ordered, how = found[: len(documents)], "order"
    else:
        raise ValueError(
            "the system's output must hold the ids of all documents, or as many "
            f"documents as there are ({len(documents)}). Received: {len(found)}"
        )
    return [
        dataclasses.replace(raw, found=document.annotation)
        for raw, document in zip(documents, ordered, strict=True)
    ], how


def as_they_are(found: Iterable[Document]) -> Iterator[RawDocument]:
    """The system's own documents, tokens and clusters, where there is no dataset."""
    for document in found:
        annotation = document.annotation
        yield RawDocument(
            document.id,
            tokens=annotation.tokens,
            sentence_starts=annotation.sentence_starts,
            found=annotation,
        )
