"""Accuracy with both of its denominators."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Accuracy:
    """How many examples a reader answered right, of those used and of all.

    A reader cannot use every example of a file: an answer may lie behind the cut of
    a long document, or be no candidate. Papers differ in whether such examples count,
    so both numbers are given. Unused ones count as wrong in `overall`.

    Args:
        num_correct: Examples answered right, 0 to `num_used`.
        num_used: Examples that the reader could use, 0 to `num_total`.
        num_total: All examples of the file, at least 1.

    Raises:
        ValueError: The numbers do not fit into each other.

    Example:

    >>> accuracy = Accuracy(num_correct=3, num_used=4, num_total=5)
    >>> accuracy.used, accuracy.overall
    (0.75, 0.6)
    """

    num_correct: int
    num_used: int
    num_total: int

    def __post_init__(self) -> None:
        if self.num_total < 1 or not (
            0 <= self.num_correct <= self.num_used <= self.num_total
        ):
            raise ValueError(
                "Counts must be 0 <= `num_correct` <= `num_used` <= `num_total` and "
                f"`num_total` at least 1. Received: num_correct={self.num_correct}, "
                f"num_used={self.num_used}, num_total={self.num_total}"
            )

    @classmethod
    def count(cls, correct: Iterable[bool], num_total: int) -> Accuracy:
        """Count outcomes.

        Args:
            correct: For each example used, whether it was answered right.
            num_total: All examples of the file.
        """
        outcomes = [bool(outcome) for outcome in correct]
        return cls(sum(outcomes), len(outcomes), num_total)

    @property
    def used(self) -> float:
        """The share of right answers among the examples used; 0 when none was."""
        return self.num_correct / self.num_used if self.num_used else 0.0

    @property
    def overall(self) -> float:
        """The share of right answers among all examples."""
        return self.num_correct / self.num_total

    def __str__(self) -> str:
        return (
            f"{self.used:.4f} of the {self.num_used} used, "
            f"{self.overall:.4f} of all {self.num_total}"
        )
