"""Annotated documents as Parquet, the form in which recipes take them."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from keras_cgru.coref.annotation import Annotation
from keras_cgru.coref.document import Document
from keras_cgru.files import atomic_write

SCHEMA_VERSION = 1
_KEY = b"keras_cgru"
# Row groups are cut here whatever came in one piece, so that a file depends on its
# documents alone.
_ROW_GROUP = 1024
_INSTALL = 'pip install "keras-cgru[recipes]"'


def require_pyarrow() -> Any:
    """Imports pyarrow, or says how to install it."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        raise ImportError(
            f"Parquet files need pyarrow. Install it with: {_INSTALL} ({error})"
        ) from error
    return pyarrow


def document_schema() -> Any:
    """The columns of a file: `id`, `tokens`, `sentence_starts`, `clusters`.

    `clusters` is a list of lists of {start, end}, half-open token positions of the
    document.
    """
    pa = require_pyarrow()
    span = pa.struct([("start", pa.int32()), ("end", pa.int32())])
    return pa.schema(
        [
            pa.field("id", pa.string(), nullable=False),
            pa.field("tokens", pa.list_(pa.string()), nullable=False),
            pa.field("sentence_starts", pa.list_(pa.int32()), nullable=False),
            pa.field("clusters", pa.list_(pa.list_(span)), nullable=False),
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
        yield Document(row["id"], annotation)


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
        path: The file; a row group of it is in memory at a time.

    Raises:
        FileNotFoundError: There is no such file.
        ValueError: It is no such file; the message says what is missing.
    """
    pa = require_pyarrow()
    read_metadata(path)
    with pa.parquet.ParquetFile(path) as file:
        missing = set(document_schema().names) - set(file.schema_arrow.names)
        if missing:
            raise ValueError(
                f"{os.fspath(path)}: must have the columns {sorted(missing)}. "
                f"Received: {file.schema_arrow.names}"
            )
        for group in range(file.num_row_groups):
            yield from to_documents(file.read_row_group(group))


def read_metadata(path: str | os.PathLike[str]) -> dict[str, Any]:
    """What a file of annotations says of itself.

    Returns:
        Among others `schema_version`, `resolver` and `sources`, the input files' names
        and SHA-256.

    Raises:
        FileNotFoundError: There is no such file.
        ValueError: It is no Parquet file of ours, or of a later version.
    """
    pa = require_pyarrow()
    try:
        metadata = pa.parquet.read_schema(path).metadata or {}
    except pa.ArrowInvalid as error:
        raise ValueError(
            f"{os.fspath(path)}: must be a Parquet file. Received: {error}"
        ) from error
    if _KEY not in metadata:
        raise ValueError(
            f"{os.fspath(path)}: must be annotations that tools/annotate.py wrote. "
            f"Received: a Parquet file without the metadata {_KEY.decode()!r}"
        )
    content = json.loads(metadata[_KEY])
    if content.get("schema_version") != SCHEMA_VERSION:
        raise ValueError(
            f"{os.fspath(path)}: `schema_version` must be {SCHEMA_VERSION}. "
            f"Received: {content.get('schema_version')}"
        )
    return content
