"""What was left out of, or kept once in, what systems found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Counts:
    """Counts over documents.

    Args:
        num_unplaced: Mentions of another system that found no place in the tokens.
        num_repeated: Mentions that a system gave twice, of which one was kept.
    """

    num_unplaced: int = 0
    num_repeated: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(
            self.num_unplaced + other.num_unplaced,
            self.num_repeated + other.num_repeated,
        )

    def __sub__(self, other: Counts) -> Counts:
        return Counts(
            self.num_unplaced - other.num_unplaced,
            self.num_repeated - other.num_repeated,
        )

    @classmethod
    def of(cls, resolver: Any) -> Counts:
        """What a resolver has counted so far; not all of them count."""
        return cls(
            getattr(resolver, "num_unplaced", 0), getattr(resolver, "num_repeated", 0)
        )
