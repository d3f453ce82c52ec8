"""Joins the clusters of a document's pieces."""

from __future__ import annotations

from collections import Counter

import numpy as np


class PieceClusters:
    """The clusters of pieces of which each reads the end of the one before once more.

    They are joined as `WindowedResolver` joins those of its windows: where they share a
    mention that is in no other cluster of its piece.
    """

    def __init__(self) -> None:
        self._parents: list[int] = []
        self._owners: list[np.ndarray] = []
        self._starts: list[np.ndarray] = []
        self._ends: list[np.ndarray] = []

    def add(
        self, owners: np.ndarray, starts: np.ndarray, ends: np.ndarray, shared: int
    ) -> None:
        """Adds the mentions of the next piece.

        Args:
            owners: The number of each one's cluster, from 0 within the piece.
            starts, ends: Its span, in tokens of the document.
            shared: The token from which on this piece and the one before have the same.
        """
        first = len(self._parents)
        self._parents.extend(range(first, first + int(owners.max(initial=-1)) + 1))
        self._owners.append(owners + first)
        self._starts.append(starts)
        self._ends.append(ends)
        if first:
            before, now = self._sole_owners(-2, shared), self._sole_owners(-1, shared)
            for span in before.keys() & now.keys():
                self._parents[self._root(now[span])] = self._root(before[span])

    def joined(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The clusters, as `Annotation` orders them.

        Returns:
            Start and end of every mention, and where the mentions of each cluster
            begin, with the number of all as the last.
        """
        roots = np.array([self._root(i) for i in range(len(self._parents))], int)
        owners = roots[np.concatenate(self._owners)]
        mentions = np.stack([owners, *map(np.concatenate, (self._starts, self._ends))])
        # By cluster, then by place, each once.
        mentions = np.unique(mentions, axis=1)
        bounds = np.flatnonzero(np.diff(mentions[0], prepend=-1, append=-1))
        if not mentions.shape[1]:
            bounds = np.zeros(1, int)
        pairs = list(zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True))
        spans = mentions[1:].T
        keyed = {spans[a:b].astype(">i8").tobytes(): (a, b) for a, b in pairs}
        # Big-endian numbers that are not negative are in the order of their bytes.
        chosen = [keyed[key] for key in sorted(keyed)]
        places = np.concatenate([np.arange(a, b) for a, b in chosen] or [bounds[:0]])
        lengths = [b - a for a, b in chosen]
        return *mentions[1:, places], np.cumsum([0, *lengths])

    def _root(self, index: int) -> int:
        parents = self._parents
        while parents[index] != index:
            parents[index] = parents[parents[index]]
            index = parents[index]
        return index

    def _sole_owners(self, piece: int, shared: int) -> dict[tuple[int, int], int]:
        """The cluster of each span from `shared` on that one alone holds."""
        inside = self._starts[piece] >= shared
        starts, ends = self._starts[piece][inside], self._ends[piece][inside]
        spans = list(zip(starts.tolist(), ends.tolist(), strict=True))
        times = Counter(spans)
        owners = self._owners[piece][inside].tolist()
        return {
            span: owner
            for span, owner in zip(spans, owners, strict=True)
            if times[span] == 1
        }
