"""Brings another system's output together with the dataset's documents."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from keras_cgru.coref.annotating.raw_document import RawDocument
from keras_cgru.coref.document import Document
from keras_cgru.coref.formats import FORMATS, BadRecord, Record


def read_found(system: str, paths: Sequence[str | os.PathLike[str]]) -> list[Record]:
    """Reads what another system wrote, broken records too, each in its place.

    Args:
        system: Its format, a name in `FORMATS`.
        paths: Its files, in the order of the dataset's documents.

    Raises:
        FileNotFoundError: A file does not exist.
        ValueError: A file holds broken records alone, or none, or there is no such
            format.
    """
    if system not in FORMATS:
        raise ValueError(
            f"`from` must be one of {', '.join(FORMATS)}. Received: {system}"
        )
    read = [(path, list(FORMATS[system].records(path))) for path in map(Path, paths)]
    for path, records in read:
        check_some_good(path, [_error_of(record) for record in records])
    found = [record for _, records in read for record in records]
    if len({record.id for record in found}) == len(found):
        return found
    # Where files only number their documents, the files tell these apart.
    return [
        dataclasses.replace(record, id=f"{path.stem}-{record.id}")
        for path, records in read
        for record in records
    ]


def check_some_good(path: str | os.PathLike[str], errors: Sequence[str | None]) -> None:
    """Refuses a file of which not one record is a document: it is another file.

    Args:
        path: The file.
        errors: What is wrong with each record; None where nothing is.

    Raises:
        ValueError: There is no record, or none without an error.
    """
    if not errors:
        raise ValueError(f"{os.fspath(path)}: must hold a document. Received: none")
    first = errors[0]
    if first is not None and None not in errors:
        raise ValueError(first)


def attach(
    documents: Iterable[RawDocument],
    found: Sequence[Record],
    limit: int | None = None,
) -> tuple[list[RawDocument], str]:
    """Gives each document what the system found in it.

    Documents are matched by their ids if the system's output has all of them, and
    otherwise by their order, which many formats alone have. A document whose record is
    broken fails with what is wrong there.

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
    by_id = {record.id: record for record in found}
    if len(by_id) == len(found) and all(each.id in by_id for each in documents):
        ordered: Sequence[Record] = [by_id[each.id] for each in documents]
        how = "id"
    elif broken := _unnamed(documents, every, found):
        lost = BadRecord("", f"no record that can be read; {broken}")
        ordered, how = [by_id.get(each.id, lost) for each in documents], "id"
    elif len(found) in (len(documents), len(every)):
        ordered, how = found[: len(documents)], "order"
    else:
        raise ValueError(
            "the system's output must hold the ids of all documents, or as many "
            f"documents as there are ({len(documents)}). Received: {len(found)}"
        )
    return [_with(raw, one) for raw, one in zip(documents, ordered, strict=True)], how


def as_they_are(found: Iterable[Record]) -> Iterator[RawDocument]:
    """The system's own documents, tokens and clusters, where there is no dataset."""
    for record in found:
        if isinstance(record, BadRecord):
            yield RawDocument(record.id, error=record.message)
            continue
        annotation = record.annotation
        raw = RawDocument(
            record.id,
            tokens=annotation.tokens,
            sentence_starts=annotation.sentence_starts,
        )
        yield _with(raw, record)


def remarks(found: Sequence[Record]) -> Iterator[str]:
    """What should be said of a system's output, as it may not be what was meant."""
    documents = [record for record in found if isinstance(record, Document)]
    lacking = sum(document.lacks_clusters for document in documents)
    if lacking:
        yield (
            f"{lacking:,} of {len(documents):,} documents say nothing of clusters and "
            "are taken to have none."
        )
    elif not any(document.annotation.clusters for document in documents):
        yield f"Not one of {len(documents):,} documents has a cluster."


def _with(raw: RawDocument, record: Record) -> RawDocument:
    if raw.error is not None:
        return raw
    if isinstance(record, BadRecord):
        return RawDocument(raw.id, error=record.message, file=raw.file)
    return dataclasses.replace(
        raw, found=record.annotation, num_repeated=record.num_repeated
    )


def _unnamed(
    documents: Sequence[RawDocument],
    every: Sequence[RawDocument],
    found: Sequence[Record],
) -> str | None:
    """The first broken record, if ids match but for broken ones, whose ids are lost.

    Then their places must not be counted on.
    """
    broken = [record for record in found if isinstance(record, BadRecord)]
    named = {record.id for record in found if isinstance(record, Document)}
    missing = sum(each.id not in named for each in documents)
    fits = named and named <= {each.id for each in every} and missing <= len(broken)
    return broken[0].message if broken and fits else None


def _error_of(record: Record) -> str | None:
    return record.message if isinstance(record, BadRecord) else None
