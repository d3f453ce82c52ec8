"""An answer that a reader could have given."""

from __future__ import annotations

from dataclasses import dataclass

from keras_cgru.inspection.checks import (
    as_int,
    as_probability,
    as_sequence,
    as_tokens,
    refuse,
)


@dataclass(frozen=True)
class Answer:
    """A candidate, a class or a list of words, with its probability.

    Args:
        tokens: Its words, at least one.
        probability: What the reader gave it.
        positions: The document's positions that its mentions cover, kept in rising
            order; none where the answer is no part of the document.

    Raises:
        ValueError: A field breaks one of these rules; the message names the field.
    """

    tokens: tuple[str, ...]
    probability: float
    positions: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        tokens = as_tokens("tokens", self.tokens)
        if not tokens:
            refuse("tokens", "hold at least one word of the answer", tokens)
        object.__setattr__(self, "tokens", tokens)
        probability = as_probability("probability", self.probability)
        object.__setattr__(self, "probability", probability)
        given = as_sequence("positions", self.positions)
        positions = sorted({as_int("positions", each) for each in given})
        if positions and positions[0] < 0:
            refuse("positions", "be 0 or more", positions[0])
        object.__setattr__(self, "positions", tuple(positions))

    @property
    def text(self) -> str:
        """Its words with a space between them."""
        return " ".join(self.tokens)
