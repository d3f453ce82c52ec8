"""From cluster ids to the neighbours of each token in its clusters."""

from __future__ import annotations

from typing import Any

from keras import ops

from keras_cgru.kernels.choose import search_rows


def neighbours(clusters: Any) -> tuple[Any, Any]:
    """The nearest earlier and later token of each of a token's clusters.

    One sort a row puts each cluster's tokens side by side, so time and memory do not
    depend on the number of clusters.

    Args:
        clusters: `(batch, time, k)` int32, 0 for none; no token names a cluster twice.

    Returns:
        `previous` and `following`, `(batch, time, k)` int32: positions from 0, and -1
        where there is no such token.
    """
    batch, time, k = ops.shape(clusters)
    clusters = ops.reshape(clusters, (batch, time * k))
    entries = ops.expand_dims(ops.arange(time * k, dtype="int32"), 0)
    keys = clusters * (time * k) + entries
    in_order = ops.sort(keys, axis=1)
    rank = search_rows(in_order, keys)

    def neighbour(offset: int) -> Any:
        position = rank + offset
        inside = ops.logical_and(position >= 0, position < time * k)
        position = ops.where(inside, position, rank)
        key = ops.take_along_axis(in_order, position, axis=1)
        alike = ops.equal(key // (time * k), clusters)
        found = ops.logical_and(ops.logical_and(inside, alike), clusters > 0)
        token = ops.where(found, key % (time * k) // k, -1)
        return ops.reshape(token, (batch, time, k))

    return neighbour(-1), neighbour(1)


def last_positions(clusters: Any, num_clusters: int) -> Any:
    """Position of each cluster's last token, `(batch, num_clusters)`; -1 for none.

    Args:
        clusters: `(batch, time, k)` int32.
        num_clusters: Number of clusters.
    """
    time = ops.shape(clusters)[1]
    positions = ops.reshape(ops.arange(time, dtype="int32"), (1, -1, 1))
    ids = ops.arange(1, num_clusters + 1, dtype="int32")
    last = ops.full((1, num_clusters), -1, dtype="int32")
    for i in range(clusters.shape[-1]):
        is_own = ops.equal(clusters[:, :, i : i + 1], ids)
        last = ops.maximum(last, ops.max(ops.where(is_own, positions, -1), axis=1))
    return last
