"""The places of the document that carried the answer."""

from __future__ import annotations

from typing import NamedTuple

from keras_cgru.inspection.reading import Reading

# Less is not marked: it would show at nearly every candidate.
AT_LEAST = 0.02


class Carried(NamedTuple):
    """Neighbouring tokens `[start, end)` of an answer's mention, and what they bore."""

    start: int
    end: int
    probability: float
    predicted: bool


def carried(reading: Reading, at_least: float = AT_LEAST) -> list[Carried]:
    """Finds where the answers' probability came from, in the document's order.

    The predicted answer's mentions come first into question; a token is counted once.
    Attention on tokens of no answer is shown as it lies.

    Args:
        reading: Its document has the attention, else there is nothing to find.
        at_least: Mentions that bore less are left out.
    """
    attention = reading.document.attention
    if not attention:
        return []
    predicted = reading.predicted
    owners: dict[int, int] = {}
    for number, answer in enumerate(reading.ranked):
        for place in answer.positions:
            owners.setdefault(place, number)
    marks, place = [], 0
    while place < len(attention):
        end = place + 1
        owner = owners.get(place)
        while owner is not None and end < len(attention) and owners.get(end) == owner:
            end += 1
        is_predicted = owner == 0 and predicted is not None
        marks.append(Carried(place, end, sum(attention[place:end]), is_predicted))
        place = end
    return [mark for mark in marks if mark.probability >= at_least]
