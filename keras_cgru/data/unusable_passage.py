"""The error of a passage that cannot become an example."""

from __future__ import annotations


class UnusablePassage(ValueError):
    """A passage that the reader cannot answer; `reason` is what is counted.

    Args:
        reason: A short phrase, the same for all passages of one kind.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason
