"""Which clusters stay under a limit, and which of them a token carries."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from keras_cgru.coref.annotation import Annotation, Cluster


def check_limits(num_clusters: int | None, k: int) -> None:
    """Refuses a negative number of clusters and a `k` below 1."""
    if num_clusters is not None and num_clusters < 0:
        raise ValueError(
            f"`num_clusters` must be at least 0. Received: num_clusters={num_clusters}"
        )
    if k < 1:
        raise ValueError(f"`k` must be at least 1. Received: k={k}")


def linking_clusters(annotation: Annotation, keep_singletons: bool) -> list[Cluster]:
    """The clusters of more than one mention, or all."""
    return [
        cluster
        for cluster in annotation.clusters
        if keep_singletons or len(cluster) > 1
    ]


def largest_first(clusters: Sequence[Cluster]) -> list[Cluster]:
    """Those that cover most tokens first; equally large ones stay in their order."""
    return sorted(clusters, key=_num_tokens, reverse=True)


def carried_clusters(
    clusters: Sequence[Cluster],
    num_tokens: int,
    part: Callable[[int, int], range] = range,
    most: int | None = None,
) -> list[list[int]]:
    """For each token the clusters of the mentions that cover it, innermost first.

    Args:
        clusters: The clusters.
        num_tokens: Length of the text.
        part: Which tokens of a mention, given as start and end, carry its cluster.
        most: Names no more than so many clusters a token; None names all.

    Returns:
        Positions in `clusters`, each once a token. A shorter mention comes before a
        longer one, of two equally long the one that starts later, and of two equal
        spans that of the earlier cluster.
    """
    mentions = sorted(
        (end - start, -start, cluster)
        for cluster, spans in enumerate(clusters)
        for start, end in spans
    )
    carried: list[list[int]] = [[] for _ in range(num_tokens)]
    # Where to go on behind tokens that have their clusters, or this one already: a
    # thousand mentions within one another must not visit each token a thousand times.
    behind_full: dict[int, int] = {}
    behind_own: list[dict[int, int]] = [{} for _ in clusters]
    for length, minus_start, cluster in mentions:
        tokens = part(-minus_start, length - minus_start)
        own = behind_own[cluster]
        token = _go_on(own, tokens.start)
        while token < tokens.stop:
            free = _go_on(behind_full, token)
            if free == token:
                carried[token].append(cluster)
                free += 1
                if len(carried[token]) == most:
                    behind_full[token] = free
            own[token] = free
            token = _go_on(own, free)
    return carried


def _go_on(behind: dict[int, int], token: int) -> int:
    """The first token from this one on that is not to be passed over."""
    while token in behind:
        following = behind[token]
        if following in behind:
            behind[token] = behind[following]
        token = following
    return token


def ids_of(
    carried: Sequence[Sequence[int]], numbers: dict[int, int], k: int
) -> tuple[int, ...] | tuple[tuple[int, ...], ...]:
    """The first of each token's clusters for k = 1, else k of them filled with 0."""
    if k == 1:
        return tuple(numbers[each[0]] if each else 0 for each in carried)
    return tuple(
        tuple(numbers[cluster] for cluster in each[:k]) + (0,) * (k - len(each))
        for each in carried
    )


def _num_tokens(cluster: Cluster) -> int:
    """Counts the tokens that a cluster covers, those of nested mentions once."""
    covered = reached = 0
    for start, end in cluster:
        covered += max(end - max(start, reached), 0)
        reached = max(reached, end)
    return covered
