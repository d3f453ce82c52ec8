"""From cluster ids to the neighbours of each token in its clusters."""

from __future__ import annotations

from typing import Any

from keras import ops

from keras_cgru.kernels.choose import search_rows

# What int32 holds, and how long a row can be whose every entry has an id of its own.
LARGEST_KEY = 2**31 - 1
LARGEST_RANKED_LENGTH = 46_340


def neighbours(clusters: Any, num_clusters: int) -> tuple[Any, Any]:
    """The nearest earlier and later token of each of a token's clusters.

    One sort a row puts each cluster's tokens side by side, so time and memory do not
    depend on the number of clusters.

    Args:
        clusters: `(batch, time, k)` int32, 0 for none; no token names a cluster twice.
        num_clusters: The largest id.

    Returns:
        `previous` and `following`, `(batch, time, k)` int32: positions from 0, and -1
        where there is no such token.

    Raises:
        ValueError: A row of this many ids is longer than the sort can number.
    """
    batch, time, k = ops.shape(clusters)
    ranks = clusters = ops.reshape(clusters, (batch, time * k))
    if not _can_number(num_clusters, clusters.shape[1]):
        # Of the ids that occur there are no more than entries.
        ranks = search_rows(ops.sort(clusters, axis=1), clusters)
    entries = ops.expand_dims(ops.arange(time * k, dtype="int32"), 0)
    keys = ranks * (time * k) + entries
    in_order = ops.sort(keys, axis=1)
    rank = search_rows(in_order, keys)

    def neighbour(offset: int) -> Any:
        position = rank + offset
        inside = ops.logical_and(position >= 0, position < time * k)
        position = ops.where(inside, position, rank)
        key = ops.take_along_axis(in_order, position, axis=1)
        alike = ops.equal(key // (time * k), ranks)
        found = ops.logical_and(ops.logical_and(inside, alike), clusters > 0)
        token = ops.where(found, key % (time * k) // k, -1)
        return ops.reshape(token, (batch, time, k))

    return neighbour(-1), neighbour(1)


def _can_number(num_clusters: int, length: int | None) -> bool:
    """Whether an id and a position in a row of this length make one int32."""
    if length is None:
        # As far as the numbering by rank reaches.
        return num_clusters < LARGEST_RANKED_LENGTH
    if (num_clusters + 1) * length <= LARGEST_KEY:
        return True
    if length > LARGEST_RANKED_LENGTH:
        raise ValueError(
            f"`clusters` must have at most {LARGEST_RANKED_LENGTH} ids a row where "
            f"num_clusters={num_clusters}. Received: {length} (tokens times ids a "
            "token)"
        )
    return False


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
