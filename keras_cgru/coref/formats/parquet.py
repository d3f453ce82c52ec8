"""Annotated documents as Parquet, the form in which recipes take them."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from keras_cgru.coref.annotation import Annotation, Span
from keras_cgru.coref.document import Document
from keras_cgru.coref.formats.fields import check_kind, make_document, refuse
from keras_cgru.coref.formats.parquet_rows import (
    check_id,
    check_list,
    column_names,
    open_parquet,
    read_rows,
    require_pyarrow,
)
from keras_cgru.coref.formats.records import BadRecord, Record, parse_each
from keras_cgru.files import atomic_write, parse_json

SCHEMA_VERSION = 1
_KEY = b"keras_cgru"
_RECORD = "record"
_OPTIONAL = ("sentence_starts", _RECORD)
# Row groups are cut here whatever came in one piece, so that a file depends on its
# documents alone.
_ROW_GROUP = 1024


def document_schema() -> Any:
    """The columns of a file: `id`, `tokens`, `sentence_starts`, `clusters`, `record`.

    `clusters` is a list of lists of {start, end}, half-open token positions of the
    document. `record` is what else its source says, as JSON, or null; files without it
    are read, too.
    """
    pa = require_pyarrow()
    span = pa.struct([("start", pa.int32()), ("end", pa.int32())])
    return pa.schema(
        [
            pa.field("id", pa.string(), nullable=False),
            pa.field("tokens", pa.list_(pa.string()), nullable=False),
            pa.field("sentence_starts", pa.list_(pa.int32()), nullable=False),
            pa.field("clusters", pa.list_(pa.list_(span)), nullable=False),
            pa.field(_RECORD, pa.string()),
        ]
    )


def to_table(documents: Iterable[Document]) -> Any:
    """Documents as an Arrow table of `document_schema`."""
    pa = require_pyarrow()
    rows = [
        {
            "id": document.id,
            "tokens": document.annotation.tokens,
            "sentence_starts": document.annotation.sentence_starts,
            "clusters": [
                [{"start": start, "end": end} for start, end in cluster]
                for cluster in document.annotation.clusters
            ],
            _RECORD: document.record,
        }
        for document in documents
    ]
    return pa.Table.from_pylist(rows, document_schema())


def to_documents(table: Any) -> Iterator[Document]:
    """The documents of an Arrow table."""
    for row in table.to_pylist():
        clusters = tuple(
            tuple((span["start"], span["end"]) for span in cluster)
            for cluster in row["clusters"]
        )
        annotation = Annotation(
            tuple(row["tokens"]), clusters, tuple(row["sentence_starts"])
        )
        yield Document(row["id"], annotation, record=row[_RECORD])


def write_tables(
    path: str | os.PathLike[str], tables: Iterable[Any], metadata: Mapping[str, Any]
) -> None:
    """Writes tables one behind the other into one file, which appears when complete.

    Args:
        path: The file.
        tables: Tables of `document_schema`, held one at a time.
        metadata: What can be written as JSON; kept in the file's own metadata, with
            the version of this schema.
    """
    pa = require_pyarrow()
    content = {"schema_version": SCHEMA_VERSION, **metadata}
    text = json.dumps(content, ensure_ascii=False, sort_keys=True)
    schema = document_schema().with_metadata({_KEY: text.encode("utf-8")})
    with (
        atomic_write(path) as file,
        pa.parquet.ParquetWriter(file, schema, compression="zstd") as writer,
    ):
        held = schema.empty_table()
        for table in tables:
            held = pa.concat_tables([held, table.cast(schema)])
            while held.num_rows >= _ROW_GROUP:
                writer.write_table(held.slice(0, _ROW_GROUP).combine_chunks())
                held = held.slice(_ROW_GROUP)
        if held.num_rows:
            writer.write_table(held.combine_chunks())


def read_annotations(path: str | os.PathLike[str]) -> Iterator[Document]:
    """Yields the documents of a file that `tools/annotate.py` wrote.

    Args:
        path: The file; some rows of it are in memory at a time.

    Raises:
        FileNotFoundError: There is no such file.
        ValueError: It is no such file; the message says what is missing, or the row.
    """
    read_metadata(path)
    missing = set(document_schema().names) - {_RECORD, *column_names(path)}
    if missing:
        raise ValueError(
            f"{os.fspath(path)}: must have the columns {sorted(missing)}. "
            f"Received: {column_names(path)}"
        )
    for record in parquet_records(path):
        if isinstance(record, BadRecord):
            raise ValueError(record.message)
        yield record


def parquet_records(path: str | os.PathLike[str]) -> Iterator[Record]:
    """Yields the documents of a file of ours or of others, and rows that are none.

    Its columns must be `id`, `tokens` and `clusters`; `sentence_starts` and `record`
    may be missing.

    Raises:
        ValueError: It is no Parquet, or has other columns.
    """
    rows = read_rows(path, ("id", "tokens", "clusters"), _OPTIONAL)
    return parse_each(rows, _document)


def write_parquet(path: str | os.PathLike[str], documents: Iterable[Document]) -> None:
    """Writes documents, without a word on where they come from."""
    write_tables(path, [to_table(documents)], {})


def _document(where: str, row: dict[str, Any], number: int) -> Document:
    tokens = check_list(where, "tokens", row["tokens"])
    starts = row.get("sentence_starts")
    lacks_clusters = row["clusters"] is None
    clusters = () if lacks_clusters else check_list(where, "clusters", row["clusters"])
    record = row.get(_RECORD)
    if record is not None:
        check_kind(where, _RECORD, record, str)
    document = make_document(
        where,
        check_id(where, row["id"]),
        tokens,
        [
            [_span(where, span) for span in check_list(where, "clusters[]", cluster)]
            for cluster in clusters
        ],
        (0,) if starts is None else check_list(where, "sentence_starts", starts),
        lacks_clusters,
    )
    return replace(document, record=record)


def _span(where: str, span: Any) -> Span:
    if not isinstance(span, dict) or not {"start", "end"} <= set(span):
        refuse(where, "`clusters` must hold structs of `start` and `end`", span)
    return check_kind(where, "start", span["start"], int), check_kind(
        where, "end", span["end"], int
    )


def read_metadata(path: str | os.PathLike[str]) -> dict[str, Any]:
    """What a file of annotations says of itself.

    Returns:
        Among others `schema_version`, `resolver` and `sources`, the input files' names
        and SHA-256.

    Raises:
        FileNotFoundError: There is no such file.
        ValueError: It is no Parquet file of ours, or of a later version.
    """
    with open_parquet(path) as file:
        metadata = file.schema_arrow.metadata or {}
    if _KEY not in metadata:
        raise ValueError(
            f"{os.fspath(path)}: must be annotations that tools/annotate.py wrote. "
            f"Received: a Parquet file without the metadata {_KEY.decode()!r}"
        )
    content = parse_json(metadata[_KEY], path)
    if not isinstance(content, dict):
        refuse(os.fspath(path), f"its {_KEY.decode()!r} must be an object", content)
    if content.get("schema_version") != SCHEMA_VERSION:
        raise ValueError(
            f"{os.fspath(path)}: `schema_version` must be {SCHEMA_VERSION}. "
            f"Received: {content.get('schema_version')}"
        )
    return content
