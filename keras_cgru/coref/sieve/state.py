"""What the passes of the sieve share."""

from __future__ import annotations

from dataclasses import dataclass, field

from keras_cgru.coref.sieve.entities import Entities
from keras_cgru.coref.sieve.mention import Mention
from keras_cgru.coref.sieve.text import Text


@dataclass(slots=True)
class State:
    """A text under resolution.

    Args:
        text: The text.
        mentions: Its mentions, by start, outer ones first.
        entities: What is one so far.
        speakers: The unspoken member for the speaker of each quotation.
        addressees: The same for whom it is spoken to.
        narrator: The unspoken member for "I" outside quotations.
    """

    text: Text
    mentions: list[Mention]
    entities: Entities
    speakers: list[int] = field(default_factory=list)
    addressees: list[int] = field(default_factory=list)
    narrator: int = -1
