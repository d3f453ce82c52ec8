"""The lengths to which a batch is padded."""

from __future__ import annotations

from typing import NamedTuple


class BatchShape(NamedTuple):
    """Padded lengths of a batch: tokens of document and query, and candidates.

    `num_occurrences` is the length of the list of their mentions, 0 where these are
    served as a map.
    """

    document_length: int
    query_length: int
    num_candidates: int
    num_occurrences: int = 0

    def holds(self, other: BatchShape) -> bool:
        """Whether nothing of `other` is longer."""
        return all(mine >= its for mine, its in zip(self, other, strict=True))
