"""From cluster ids to the neighbours of each token in its clusters."""

from __future__ import annotations

from typing import Any

from keras import ops


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
    # Unique keys: any sort is a stable one.
    order = ops.cast(ops.argsort(clusters * (time * k) + entries, axis=1), "int32")
    rank = ops.argsort(order, axis=1)
    in_order = ops.take_along_axis(clusters, order, axis=1)
    alike = ops.logical_and(
        ops.equal(in_order[:, 1:], in_order[:, :-1]), in_order[:, 1:] > 0
    )
    tokens = order // k
    previous = ops.where(alike, tokens[:, :-1], -1)
    following = ops.where(alike, tokens[:, 1:], -1)
    previous = ops.pad(previous, ((0, 0), (1, 0)), constant_values=-1)
    following = ops.pad(following, ((0, 0), (0, 1)), constant_values=-1)
    return (
        ops.reshape(ops.take_along_axis(previous, rank, axis=1), (batch, time, k)),
        ops.reshape(ops.take_along_axis(following, rank, axis=1), (batch, time, k)),
    )


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
