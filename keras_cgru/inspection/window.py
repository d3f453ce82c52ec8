"""The part of a long document that is worth showing."""

from __future__ import annotations

from keras_cgru.inspection.reading import Reading


def window_around_answer(reading: Reading, max_tokens: int | None) -> tuple[int, int]:
    """Chooses `[start, end)`, at most `max_tokens` long, around the answer.

    In its middle lies the token that carried most of the answer's probability; without
    attention the predicted answer's last mention, else the right one's; without these
    it is the document's beginning.

    Args:
        reading: What is to be shown.
        max_tokens: Documents up to this length are shown whole; None for all.

    Raises:
        ValueError: `max_tokens` is below 1.
    """
    length = len(reading.document.tokens)
    if max_tokens is not None and max_tokens < 1:
        raise ValueError(f"`max_tokens` must be at least 1. Received: {max_tokens}")
    if max_tokens is None or length <= max_tokens:
        return 0, length
    start = max(0, min(_middle(reading) - max_tokens // 2, length - max_tokens))
    return start, start + max_tokens


def _middle(reading: Reading) -> int:
    attention = reading.document.attention
    if any(attention):
        return max(range(len(attention)), key=attention.__getitem__)
    golden = [each for each in reading.answers if each.tokens == reading.gold]
    for answer in (reading.predicted, *golden):
        if answer is not None and answer.positions:
            return answer.positions[-1]
    return 0
