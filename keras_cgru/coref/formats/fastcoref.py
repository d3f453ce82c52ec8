"""What fastcoref writes to `predict(..., output_file=...)`.

JSON lines with `text` and `clusters` of [start, end] pairs that count from 0 and
**exclude** the end. Where the text was handed over in words, `text` is their list and
the pairs count words; else it is a string and they count characters. A string is split
at white space, and also where mentions start and end; `align` moves the result onto
tokens of one's own.

Reference:
    `fastcoref/modeling.py`, version 2.1.6.
"""

from __future__ import annotations

import os
import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from typing import Any

from keras_cgru.coref.annotation import Span
from keras_cgru.coref.document import Document
from keras_cgru.coref.formats.fields import (
    check_kind,
    make_document,
    optional_id,
    optional_starts,
    refuse,
    take,
    take_clusters,
    take_strings,
)
from keras_cgru.coref.formats.json_records import read_json_lines, write_json_lines
from keras_cgru.coref.formats.records import Record, documents_of, parse_each


def fastcoref_records(path: str | os.PathLike[str]) -> Iterator[Record]:
    """Yields fastcoref's predictions and what is none.

    Mentions that are null, which fastcoref writes for special tokens of its model, are
    left out, as it does itself where it gives strings. The documents are named by their
    place in the file, from "0".
    """
    return parse_each(read_json_lines(path), _document)


def read_fastcoref(path: str | os.PathLike[str]) -> list[Document]:
    """Reads fastcoref's predictions.

    Raises:
        ValueError: The file is broken; the message names file and line.
    """
    return documents_of(fastcoref_records, path)


def write_fastcoref(
    path: str | os.PathLike[str], documents: Iterable[Document]
) -> None:
    """Writes JSON lines in the form of texts that were handed over in words.

    `id` and `sentence_starts`, which fastcoref does not know, are added, so that
    reading the file gives back the same documents.
    """
    write_json_lines(path, (_record(document) for document in documents))


def _document(where: str, record: dict[str, Any], number: int) -> Document:
    if "text" not in record:
        refuse(
            where,
            "a prediction must have `text` (records with `tokens` and no `text` are "
            "training data, whose ends are counted otherwise)",
            f"only {sorted(record)}",
        )
    clusters = [
        [
            span
            for span in check_kind(where, "clusters[]", each, list)
            if span is not None
        ]
        for each in take(where, record, "clusters", list)
    ]
    record = {**record, "clusters": clusters}
    starts = optional_starts(where, record)
    id = optional_id(where, record, number)
    if not isinstance(record["text"], str):
        tokens = take_strings(where, record, "text")
        found = take_clusters(where, record, "clusters", len(tokens), False)
        return make_document(where, id, tokens, found, starts)
    text = take(where, record, "text", str)
    found = take_clusters(where, record, "clusters", len(text), False)
    pieces = _split(text, {end for each in found for span in each for end in span})
    inside = [[_tokens_of(pieces, span) for span in cluster] for cluster in found]
    for cluster, spans in zip(found, inside, strict=True):
        for span, (start, end) in zip(cluster, spans, strict=True):
            if start == end:
                rule = "a mention must hold more than white space"
                refuse(where, rule, f"{list(span)}")
    tokens = tuple(text[start:end] for start, end in pieces)
    return make_document(where, id, tokens, inside, starts)


def _split(text: str, cuts: set[int]) -> list[Span]:
    """The character spans of words, cut where mentions start or end within them."""
    pieces: list[Span] = []
    for match in re.finditer(r"\S+", text):
        ends = sorted(cut for cut in cuts if match.start() < cut < match.end())
        bounds = [match.start(), *ends, match.end()]
        pieces += zip(bounds, bounds[1:], strict=False)
    return pieces


def _tokens_of(pieces: list[Span], span: Span) -> Span:
    return bisect_left(pieces, (span[0], 0)), bisect_left(pieces, (span[1], 0))


def _record(document: Document) -> dict[str, Any]:
    annotation = document.annotation
    return {
        "id": document.id,
        "text": annotation.tokens,
        "clusters": annotation.clusters,
        "clusters_strings": [
            [annotation.tokens[start:end] for start, end in cluster]
            for cluster in annotation.clusters
        ],
        "sentence_starts": annotation.sentence_starts,
    }
