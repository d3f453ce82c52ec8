"""From cluster ids to the neighbours of each token in its cluster."""

from __future__ import annotations

from typing import Any

from keras import ops


def neighbours(clusters: Any) -> tuple[Any, Any]:
    """The nearest earlier and later token of each token's own cluster.

    One sort a row puts each cluster's tokens side by side, so time and memory do not
    depend on the number of clusters.

    Args:
        clusters: `(batch, time)` int32, 0 for tokens without cluster.

    Returns:
        `previous` and `following`, `(batch, time)` int32: positions from 0, and -1
        where there is no such token.
    """
    time = ops.shape(clusters)[1]
    positions = ops.broadcast_to(
        ops.expand_dims(ops.arange(time, dtype="int32"), 0), ops.shape(clusters)
    )
    # Unique keys: any sort is a stable one.
    order = ops.argsort(clusters * time + positions, axis=1)
    rank = ops.argsort(order, axis=1)
    in_order = ops.take_along_axis(clusters, order, axis=1)
    alike = ops.logical_and(
        ops.equal(in_order[:, 1:], in_order[:, :-1]), in_order[:, 1:] > 0
    )
    order = ops.cast(order, "int32")
    previous = ops.where(alike, order[:, :-1], -1)
    following = ops.where(alike, order[:, 1:], -1)
    previous = ops.pad(previous, ((0, 0), (1, 0)), constant_values=-1)
    following = ops.pad(following, ((0, 0), (0, 1)), constant_values=-1)
    return (
        ops.take_along_axis(previous, rank, axis=1),
        ops.take_along_axis(following, rank, axis=1),
    )


def last_positions(clusters: Any, num_clusters: int) -> Any:
    """Position of each cluster's last token, `(batch, num_clusters)`; -1 for none.

    Args:
        clusters: `(batch, time)` int32.
        num_clusters: Number of clusters.
    """
    time = ops.shape(clusters)[1]
    positions = ops.reshape(ops.arange(time, dtype="int32"), (1, -1, 1))
    ids = ops.arange(1, num_clusters + 1, dtype="int32")
    is_own = ops.equal(ops.expand_dims(clusters, -1), ids)
    return ops.max(ops.where(is_own, positions, -1), axis=1)
