"""Clusters as systems give them, made what an annotation may hold."""

from __future__ import annotations

from collections.abc import Iterable

from keras_cgru.coref.annotation import Cluster, Span


def tidy_clusters(
    clusters: Iterable[Iterable[Span]],
) -> tuple[tuple[Cluster, ...], int]:
    """Keeps once what a system gives twice, and leaves out what is empty.

    A span in two clusters that differ stays in both, as `Annotation` allows it.

    Args:
        clusters: The clusters, half-open spans.

    Returns:
        The clusters, and how many mentions more there were: of a span that stands twice
        in a cluster one, of a cluster that stands twice all.
    """
    kept: set[Cluster] = set()
    num_repeated = 0
    for cluster in clusters:
        spans = list(cluster)
        distinct = tuple(sorted(set(spans)))
        num_repeated += len(spans) - len(distinct)
        if distinct in kept:
            num_repeated += len(distinct)
        elif distinct:
            kept.add(distinct)
    return tuple(kept), num_repeated
