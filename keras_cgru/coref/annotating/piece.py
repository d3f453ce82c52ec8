"""A stretch of a document that is too long to be annotated at once."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Piece:
    """Which stretch of its document a text is, and what is read along with it.

    Args:
        number: Its place among the pieces of the document, from 0.
        count: How many there are.
        before: The end of the piece before, which the resolver reads once more: what
            it finds there twice joins the clusters of the two.
        shared_from: The position in the text at which begins what the next piece reads
            once more.
    """

    number: int
    count: int
    before: str
    shared_from: int

    def segments(self, text: str) -> tuple[str, str, str]:
        """What is to be tokenised apart, so that both pieces have the same tokens."""
        return self.before, text[: self.shared_from], text[self.shared_from :]
