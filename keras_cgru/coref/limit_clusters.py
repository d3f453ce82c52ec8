"""Keeps the largest coreference clusters of a text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence


def limit_clusters(
    ids: Sequence[int], num_clusters: int
) -> tuple[tuple[int, ...], int]:
    """Keeps at most `num_clusters` clusters and numbers them anew.

    The clusters with most tokens stay; of two with equally many, the one that is
    mentioned first. The ids that stay become 1, 2, ... in the order of first
    appearance, those of dropped clusters 0.

    Args:
        ids: The cluster id of each token; 0 for none.
        num_clusters: How many clusters may stay, 0 or more.

    Returns:
        The new ids, as many as came, and the number of clusters that were dropped.

    Raises:
        ValueError: `num_clusters` or an id is negative.
    """
    if num_clusters < 0:
        raise ValueError(
            f"`num_clusters` must be at least 0. Received: num_clusters={num_clusters}"
        )
    if min(ids, default=0) < 0:
        raise ValueError(f"`ids` must not be negative. Received: {min(ids)}")
    sizes = Counter(cluster for cluster in ids if cluster)
    # Counter keeps the order of first appearance and sorted() is stable, so equal
    # sizes stay in the order in which they are first mentioned.
    kept = set(sorted(sizes, key=lambda cluster: -sizes[cluster])[:num_clusters])
    numbers: dict[int, int] = {}
    for cluster in ids:
        if cluster in kept and cluster not in numbers:
            numbers[cluster] = len(numbers) + 1
    return tuple(numbers.get(cluster, 0) for cluster in ids), len(sizes) - len(kept)
