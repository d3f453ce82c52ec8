"""Where a cluster is read and where it is written, as in the released code."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from keras_cgru.coref.annotation import Annotation
from keras_cgru.coref.cluster_choice import (
    carried_clusters,
    check_limits,
    ids_of,
    largest_first,
    linking_clusters,
)


@dataclass(frozen=True)
class Edges:
    """The clusters that each token reads and those whose latest token it becomes.

    Args:
        reads: For k = 1 one id a token, else a tuple of k; 0 for none.
        writes: The same, with the same ids.
        num_dropped_clusters: How many linking clusters have no edge left.
        num_dropped_edges: How many entries and exits of linking clusters are lost.
    """

    reads: tuple[Any, ...]
    writes: tuple[Any, ...]
    num_dropped_clusters: int
    num_dropped_edges: int

    def backwards(self) -> Edges:
        """The same for a layer that reads from the end.

        A mention is then entered at its last token and left at its first.
        """
        return Edges(
            self.writes, self.reads, self.num_dropped_clusters, self.num_dropped_edges
        )


def edges(
    annotation: Annotation,
    num_clusters: int | None = None,
    k: int = 1,
    keep_singletons: bool = False,
) -> Edges:
    """Lets each mention read its cluster at its first token and write it at its last.

    So the released code has it, where `token_clusters` lets every token of a mention
    do both. `CorefGRU` takes the result as `[x, reads, writes]`. The first mention
    reads, too, and finds nothing there.

    Which clusters stay, and which a token takes where several mentions begin or end,
    is ruled as in `token_clusters`, for entries and exits apart.

    Args:
        annotation: The text.
        num_clusters: At most so many clusters stay, 0 or more; None keeps all.
        k: How many clusters a token may read, and write.
        keep_singletons: Whether clusters of one mention count as linking.

    Raises:
        ValueError: `num_clusters` is negative or `k` below 1.

    Example:

    >>> tokens = "the old cat saw its tail".split()
    >>> found = edges(Annotation(tokens, [[(0, 3), (4, 5)]]))
    >>> found.reads, found.writes
    ((1, 0, 0, 0, 1, 0), (0, 0, 1, 0, 1, 0))
    """
    check_limits(num_clusters, k)
    ranked = largest_first(linking_clusters(annotation, keep_singletons))
    kept = sorted(ranked[:num_clusters])
    length = len(annotation.tokens)
    reads = carried_clusters(kept, length, lambda start, end: range(start, start + 1))
    writes = carried_clusters(kept, length, lambda start, end: range(end - 1, end))
    numbers: dict[int, int] = {}
    for entered, left in zip(reads, writes, strict=True):
        for cluster in (*entered[:k], *left[:k]):
            numbers.setdefault(cluster, len(numbers) + 1)
    lost = sum(max(len(each) - k, 0) for each in (*reads, *writes))
    for dropped in ranked[len(kept) :]:
        lost += len({start for start, _ in dropped}) + len({end for _, end in dropped})
    return Edges(
        reads=ids_of(reads, numbers, k),
        writes=ids_of(writes, numbers, k),
        num_dropped_clusters=len(ranked) - len(numbers),
        num_dropped_edges=lost,
    )
