"""What the last token of each cluster left behind, one row a cluster.

A memory of shape `(batch, num_clusters * n)` is read and written by rows of `n`: what a
step computes does not grow with the number of clusters.
"""

from __future__ import annotations

from typing import Any

import keras
from keras import ops

WIDE_INTEGERS = ("int64", "uint32", "uint64")


def clean_ids(ids: Any, num_clusters: int) -> Any:
    """int32 ids `(..., k)`: 0 for what is out of range or named before."""
    if keras.backend.standardize_dtype(ids.dtype) in WIDE_INTEGERS:
        # In the cast a larger id might become another.
        ids = ops.clip(ids, 0, num_clusters + 1)
    ids = ops.cast(ids, "int32")
    links = ops.logical_and(ids >= 1, ids <= num_clusters)
    ids = ops.where(links, ids, 0)
    if ids.shape[-1] == 1:
        return ids
    columns: list[Any] = []
    for column in ops.unstack(ids, axis=-1):
        for earlier in columns:
            column = ops.where(ops.equal(column, earlier), 0, column)
        columns.append(column)
    return ops.stack(columns, axis=-1)


def memory_rows(ids: Any, num_clusters: int) -> list[tuple[Any, Any]]:
    """Where to look for each of a token's k clusters.

    Args:
        ids: `(batch, k)`, as `clean_ids` gives them.
        num_clusters: Number of rows of each example.

    Returns:
        k pairs of rows in `(batch * num_clusters, n)`, `(batch,)` int32, and of whether
        there is such a cluster, `(batch, 1)`. If not, the row is any.
    """
    first = ops.arange(ops.shape(ids)[0], dtype="int32") * num_clusters
    rows = ops.maximum(ids - 1, 0) + ops.expand_dims(first, -1)
    linked = ids > 0
    return [(rows[:, i], linked[:, i : i + 1]) for i in range(ids.shape[-1])]


def find_rows(memory: Any, rows: list[tuple[Any, Any]]) -> list[Any]:
    """The rows `(batch, n)` of a memory `(batch * num_clusters, n)`."""
    return [ops.take(memory, row, axis=0) for row, _ in rows]


def write_rows(
    memory: Any, rows: list[tuple[Any, Any]], values: Any, found: list[Any]
) -> Any:
    """The memory with `values` `(batch, n)` in all of the rows.

    `found` are what the rows held, the same that `find_rows` gives.
    """
    for i, ((row, linked), old) in enumerate(zip(rows, found, strict=True)):
        # A row that stands for none may be one that was written just now.
        old = old if i == 0 else ops.take(memory, row, axis=0)
        new = ops.where(linked, values, old)
        memory = ops.scatter_update(memory, ops.expand_dims(row, -1), new)
    return memory
