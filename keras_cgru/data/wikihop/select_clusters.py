"""Which coreference clusters of a document a question has to do with."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from keras_cgru.coref.annotation import Annotation, Cluster, Span
from keras_cgru.coref.token_clusters import token_clusters

NearHead = Literal["support", "sentence", "anywhere"]
NEAR_HEAD = get_args(NearHead)


@dataclass(frozen=True)
class SelectedClusters:
    """The clusters that a reader is given.

    Args:
        ids: One a document token: 1, 2, ... in the order of first appearance; 0: none.
        num_unselected: How many clusters have to do with no candidate and not with the
            head entity.
        num_dropped: How many have, but are beyond the number that was asked for, or
            hidden within the mentions of others.
    """

    ids: tuple[int, ...]
    num_unselected: int
    num_dropped: int


def select_clusters(
    annotation: Annotation,
    candidates: Sequence[Span],
    heads: Sequence[Span],
    passage_starts: Sequence[int] | None,
    num_clusters: int | None = None,
) -> SelectedClusters:
    """Keeps the clusters of candidates and of what co-occurs with the head entity.

    The paper keeps "the coreference clusters which contain at least one candidate [...]
    or an entity which co-occurs with the head entity" and says no more. Here a cluster
    contains a candidate if one of its mentions covers one of the candidate's, and
    co-occurs with the head entity if one of its mentions stands in a passage that
    mentions that.

    Of too many, those stay that contain a candidate or the head entity itself, then
    the others; among equals those of most mentions, then those that come first.
    Clusters of one mention link nothing and are left out without being counted. The
    answer plays no part.

    Args:
        annotation: The document.
        candidates: All mentions of candidates.
        heads: All mentions of the head entity.
        passage_starts: The position of the first token of each passage (support or
            sentence), rising from 0; None takes what co-occurs with nothing, too.
        num_clusters: At most so many stay; None keeps all.
    """
    contains = _Covers([*candidates, *heads])
    starts = passage_starts or ()
    near = {bisect_right(starts, start) for start, _ in heads}
    if passage_starts is None:
        near = {0}  # The whole document is one passage.
    ranked: list[tuple[bool, int, int]] = []
    linking = [each for each in annotation.clusters if len(each) > 1]
    for number, cluster in enumerate(linking):
        is_first = contains(cluster)
        if is_first or _is_near(cluster, near, starts):
            ranked.append((not is_first, -len(cluster), number))
    ranked.sort()
    kept = sorted(number for _, _, number in ranked[:num_clusters])
    found = token_clusters(
        Annotation(
            annotation.tokens,
            tuple(linking[number] for number in kept),
            annotation.sentence_starts,
        )
    )
    return SelectedClusters(
        ids=found.ids,
        num_unselected=len(linking) - len(ranked),
        num_dropped=len(ranked) - len(kept) + found.num_dropped_clusters,
    )


class _Covers:
    """Whether a cluster has a mention that covers one of some spans."""

    def __init__(self, spans: Sequence[Span]) -> None:
        self._ends: dict[int, int] = {}
        for start, end in spans:
            self._ends[start] = min(end, self._ends.get(start, end))

    def __call__(self, cluster: Cluster) -> bool:
        return any(
            self._ends.get(token, end + 1) <= end
            for start, end in cluster
            for token in range(start, end)
        )


def _is_near(cluster: Cluster, near: set[int], starts: Sequence[int]) -> bool:
    return bool(near) and any(
        bisect_right(starts, first) in near for first, _ in cluster
    )
