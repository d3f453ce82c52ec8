"""What a file holds, record by record: documents, and records that are none."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from keras_cgru.coref.document import Document


@dataclass(frozen=True)
class BadRecord:
    """A record that is no document; those around it may well be.

    Args:
        id: The name that its document would have, as far as it is known: else its
            place in the file, from "0".
        message: What is wrong with it, with file and line.
    """

    id: str
    message: str


Record = Document | BadRecord


def documents_of(
    records: Callable[[str | os.PathLike[str]], Iterable[Record]],
    path: str | os.PathLike[str],
) -> list[Document]:
    """All documents of a file.

    Raises:
        ValueError: A record is none; the message names file and line of the first.
    """
    documents = []
    for record in records(path):
        if isinstance(record, BadRecord):
            raise ValueError(record.message)
        documents.append(record)
    return documents


def parse_each(
    found: Iterable[tuple[str, Any]],
    parse: Callable[[str, Any, int], Document],
    name_of: Callable[[Any], Any] = lambda value: value.get("id"),
) -> Iterator[Record]:
    """Makes documents of what a file holds.

    Args:
        found: What stands where: a value and its place in the file, or what was wrong
            with it already.
        parse: Makes a document of a place, a value and its number, from 0; raises
            `ValueError` where it is none.
        name_of: Gives the name that a value has, if it has one.
    """
    for number, (where, value) in enumerate(found):
        if isinstance(value, ValueError):
            yield BadRecord(str(number), str(value))
            continue
        try:
            yield parse(where, value, number)
        except ValueError as error:
            name = name_of(value)
            yield BadRecord(name if isinstance(name, str) else str(number), str(error))
