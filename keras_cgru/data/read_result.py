"""What a reader returns: the usable examples and an account of all others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from keras_cgru.data.example import Example


@dataclass(frozen=True)
class ReadResult:
    """The examples of one file, with both denominators of an accuracy.

    Args:
        examples: The examples that can be used, in the order of the file.
        num_total: All that the file (or its first `limit`) holds.
        skipped: How many cannot be used, by reason.
        source: The file that was read.
        num_dropped_clusters: Clusters beyond the number that was asked for, over all
            usable examples.
        text_version: Which version of the text was found, where there are several.

    Raises:
        ValueError: The counts do not add up to `num_total`.
    """

    examples: tuple[Example, ...]
    num_total: int
    skipped: Mapping[str, int]
    source: str
    num_dropped_clusters: int = 0
    text_version: str = ""

    def __post_init__(self) -> None:
        num_skipped = sum(self.skipped.values())
        if len(self.examples) + num_skipped != self.num_total:
            raise ValueError(
                "`num_total` must be the number of examples plus all skipped. "
                f"Received: num_total={self.num_total}, {len(self.examples)} examples "
                f"and {num_skipped} skipped"
            )

    @property
    def num_used(self) -> int:
        """How many examples can be used."""
        return len(self.examples)

    def summary(self) -> str:
        """One line with the counts: ``kept 8 of 10 (1 x answer not in ...)``."""
        reasons = ", ".join(f"{n} x {reason}" for reason, n in self.skipped.items())
        return f"kept {self.num_used} of {self.num_total}" + (
            f" ({reasons})" if reasons else ""
        )
