"""What AllenNLP's coreference predictor writes.

A JSON object with `document`, the tokens, and `clusters`, lists of [start, end] pairs
that count from 0 and **include** the end; other fields are ignored. A file holds one
object, or one a line, as `allennlp predict` writes it.

Reference:
    `allennlp_models/coref/predictors/coref.py` and `allennlp_models/coref/models/
    coref.py`, version 2.10.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import Any

from keras_cgru.coref.document import Document
from keras_cgru.coref.formats.fields import (
    make_document,
    optional_id,
    optional_starts,
    take_clusters,
    take_strings,
)
from keras_cgru.coref.formats.json_records import read_json_records, write_json_lines
from keras_cgru.coref.formats.records import Record, documents_of, parse_each


def allennlp_records(path: str | os.PathLike[str]) -> Iterator[Record]:
    """Yields AllenNLP's predictions and what is none.

    The documents are named by their place in the file, from "0".
    """
    return parse_each(read_json_records(path), _document)


def read_allennlp(path: str | os.PathLike[str]) -> list[Document]:
    """Reads AllenNLP's predictions.

    Raises:
        ValueError: The file is broken; the message names file and line.
    """
    return documents_of(allennlp_records, path)


def write_allennlp(path: str | os.PathLike[str], documents: Iterable[Document]) -> None:
    """Writes JSON lines.

    AllenNLP knows neither names nor sentences. `id` and `sentence_starts` are added,
    so that reading the file gives back the same documents.
    """
    write_json_lines(
        path,
        (
            {
                "id": document.id,
                "document": document.annotation.tokens,
                "clusters": [
                    [[start, end - 1] for start, end in cluster]
                    for cluster in document.annotation.clusters
                ],
                "sentence_starts": document.annotation.sentence_starts,
            }
            for document in documents
        ),
    )


def _document(where: str, record: dict[str, Any], number: int) -> Document:
    tokens = take_strings(where, record, "document")
    clusters = take_clusters(where, record, "clusters", len(tokens), end_inclusive=True)
    return make_document(
        where,
        optional_id(where, record, number),
        tokens,
        clusters,
        optional_starts(where, record),
    )
