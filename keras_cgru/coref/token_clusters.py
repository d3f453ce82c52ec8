"""Cluster ids of the tokens, as the layers take them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar, overload

from keras_cgru.coref.annotation import Annotation
from keras_cgru.coref.cluster_choice import (
    carried_clusters,
    check_limits,
    ids_of,
    largest_first,
    linking_clusters,
)

Ids = TypeVar("Ids")


@dataclass(frozen=True)
class TokenClusters(Generic[Ids]):
    """One id, or k ids, for each token of a text, and what did not fit.

    Args:
        ids: For k = 1 one id a token; for more a tuple of k ids, the innermost
            mention's first. Ids are 1, 2, ... in the order of first appearance, 0
            stands for none.
        num_dropped_clusters: How many linking clusters no token carries.
        num_dropped_tokens: How many tokens lack one of the linking clusters whose
            mentions cover them.
    """

    ids: tuple[Ids, ...]
    num_dropped_clusters: int
    num_dropped_tokens: int


@overload
def token_clusters(
    annotation: Annotation,
    num_clusters: int | None = None,
    k: Literal[1] = 1,
    keep_singletons: bool = False,
) -> TokenClusters[int]: ...


@overload
def token_clusters(
    annotation: Annotation,
    num_clusters: int | None = None,
    k: int = 1,
    keep_singletons: bool = False,
) -> TokenClusters[Any]: ...


def token_clusters(
    annotation: Annotation,
    num_clusters: int | None = None,
    k: int = 1,
    keep_singletons: bool = False,
) -> TokenClusters[Any]:
    """Gives each token the clusters of the mentions that cover it.

    Every token of a mention carries its cluster. Where mentions nest or cross, a token
    is in several; it carries those of its k innermost mentions: the shorter mention
    goes first, of two equally long ones that which starts later, and where one span
    stands in two clusters, the cluster that the annotation lists first.

    Under a limit the clusters stay that cover most tokens; of two that cover equally
    many, the one that the annotation lists first, which is the one mentioned first.
    Tokens then choose among the clusters that stay, so an outer mention takes the
    place of an inner one whose cluster went.

    Clusters of one mention link nothing and are left out without being counted.

    Args:
        annotation: The text.
        num_clusters: At most so many clusters stay, 0 or more; None keeps all.
        k: How many clusters a token may carry.
        keep_singletons: Whether clusters of one mention count as linking.

    Raises:
        ValueError: `num_clusters` is negative or `k` below 1.

    Example:

    >>> tokens = "mary saw her cat . it slept".split()
    >>> annotation = Annotation(tokens, [[(0, 1), (2, 3)], [(2, 4), (5, 6)]])
    >>> token_clusters(annotation).ids
    (1, 0, 1, 2, 0, 2, 0)
    >>> token_clusters(annotation, k=2).ids[2]
    (1, 2)
    """
    check_limits(num_clusters, k)
    ranked = largest_first(linking_clusters(annotation, keep_singletons))
    kept = sorted(ranked[:num_clusters])
    carried = carried_clusters(kept, len(annotation.tokens), most=k + 1)
    numbers: dict[int, int] = {}
    for clusters in carried:
        for cluster in clusters[:k]:
            numbers.setdefault(cluster, len(numbers) + 1)
    lacking = {token for token, clusters in enumerate(carried) if len(clusters) > k}
    reached = 0
    for start, end in sorted(span for each in ranked[len(kept) :] for span in each):
        lacking.update(range(max(start, reached), end))
        reached = max(reached, end)
    return TokenClusters(
        ids=ids_of(carried, numbers, k),
        num_dropped_clusters=len(ranked) - len(numbers),
        num_dropped_tokens=len(lacking),
    )
