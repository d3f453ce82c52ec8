"""Makes one document of the annotations of its pieces."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from keras_cgru.coref.annotating.pieces.piece_clusters import PieceClusters
from keras_cgru.coref.formats.parquet import document_schema, require_pyarrow

Head = dict[str, Any]


def join_pieces(parts: Iterable[tuple[Head, Any]]) -> Iterator[tuple[Head, Any]]:
    """Gives parts as they come, but one for all pieces of a document.

    A document of which a piece has failed is left out.

    Args:
        parts: What `read_part` gives of each, in the order of their indices.

    Yields:
        A part's head and its documents as a table.
    """
    document: _Document | None = None
    for head, table in parts:
        if head["piece"] is None:
            yield head, table
            continue
        number, count, num_before = head["piece"]
        if number == 0:
            document = _Document()
        assert document is not None  # Pieces come in order.
        document.add(table, num_before)
        if number == count - 1:
            if document.is_whole:
                yield head, document.table()
            document = None


class _Document:
    """The pieces of one document, in Arrow's memory: some bytes a token."""

    def __init__(self) -> None:
        self.is_whole = True
        self._tokens: list[Any] = []
        self._starts: list[np.ndarray] = []
        self._clusters = PieceClusters()
        self._num_tokens = 0
        self._id = ""

    def add(self, table: Any, num_before: int) -> None:
        """Adds what was found in the next piece, `num_before` tokens of it again."""
        self.is_whole = self.is_whole and table.num_rows == 1
        if not self.is_whole:
            return
        row = table.combine_chunks()
        self._id = row["id"][0].as_py()
        tokens = row["tokens"][0].values
        starts = row["sentence_starts"][0].values.to_numpy()
        shift = self._num_tokens - num_before
        self._tokens.append(tokens[num_before:])
        self._starts.append(starts[starts >= num_before] + shift)
        lists = row["clusters"][0].values
        lengths = lists.value_lengths().to_numpy()
        spans = lists.flatten()
        self._clusters.add(
            np.repeat(np.arange(len(lists)), lengths),
            spans.field("start").to_numpy() + shift,
            spans.field("end").to_numpy() + shift,
            shift,
        )
        self._num_tokens += len(tokens) - num_before

    def table(self) -> Any:
        """The document, of `document_schema`."""
        pa = require_pyarrow()
        schema = document_schema()
        starts, ends, offsets = self._clusters.joined()
        spans = pa.StructArray.from_arrays(
            [pa.array(starts, pa.int32()), pa.array(ends, pa.int32())],
            fields=list(schema.field("clusters").type.value_type.value_type),
        )
        clusters = pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), spans)
        columns = [
            pa.array([self._id]),
            _as_row(pa, pa.concat_arrays(self._tokens)),
            _as_row(pa, pa.array(np.concatenate(self._starts), pa.int32())),
            _as_row(pa, clusters),
            pa.nulls(1, pa.string()),  # Inputs with records have no pieces.
        ]
        return pa.Table.from_arrays(columns, names=schema.names).cast(schema)


def _as_row(pa: Any, values: Any) -> Any:
    return pa.ListArray.from_arrays(pa.array([0, len(values)], pa.int32()), values)
