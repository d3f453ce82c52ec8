"""Tokens as columns of a picture, and the lines that they fill."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from keras_cgru.inspection.carried import Carried
from keras_cgru.inspection.image.fonts import SMALL, WORDS, drawable, fit, width_of
from keras_cgru.inspection.passage import Passage
from keras_cgru.inspection.visible import visible
from keras_cgru.inspection.wording import percent

GAP = 7.0
PADDING = 3.0
BAR, BAR_GAP = 6.0, 2.0


class Column(NamedTuple):
    """A token's place in a line, and what stands above it and on it.

    Args:
        place: Its position in the passage.
        x: Left edge, in pixels.
        width: Of its box.
        token: As it is drawn.
        numbers: Of the clusters whose mentions end here, the innermost first.
        share: The percentage that a mention beginning here carried, or "".
    """

    place: int
    x: float
    width: float
    token: str
    numbers: str
    share: str


def lines_of_columns(
    passage: Passage,
    window: tuple[int, int],
    marks: Sequence[Carried],
    left: float,
    right: float,
) -> list[list[Column]]:
    """Fills lines from `left` to `right` with a window's tokens."""
    shares = {mark.start: percent(mark.probability) for mark in marks}
    numbers = _numbers(passage, window)
    linked = set(passage.linked)
    bars = strip_width(len({layer for layer, _ in passage.alpha}))
    lines: list[list[Column]] = [[]]
    x = left
    for place in range(*window):
        number, share = numbers.get(place, ""), shares.get(place, "")
        beside = width_of(number, SMALL, bold=True) + 2 * PADDING + (1 if number else 0)
        token = fit(drawable(visible(passage.tokens[place])), right - left - beside)
        width = max(
            width_of(token) + beside,
            width_of(share, SMALL, bold=True),
            bars if place in linked else 0.0,
        )
        if lines[-1] and x + width > right:
            lines.append([])
            x = left
        lines[-1].append(Column(place, x, width, token, number, share))
        x += width + GAP
    return [line for line in lines if line]


def strip_width(num_layers: int) -> float:
    """The width of one bar a layer."""
    return num_layers * (BAR + BAR_GAP) - BAR_GAP if num_layers else 0.0


def lines_of_words(
    words: Sequence[str], room: float, size: float = WORDS, between: str = " "
) -> list[str]:
    """Fills lines of `room` pixels with words; a longer word is cut."""
    lines: list[str] = []
    for word in words:
        longer = f"{lines[-1]}{between}{word}" if lines else word
        if lines and width_of(longer, size) <= room:
            lines[-1] = longer
        else:
            lines.append(fit(word, room, size))
    return lines


def _numbers(passage: Passage, window: tuple[int, int]) -> dict[int, str]:
    first, last = window
    ending: dict[int, list[str]] = {}
    # Mentions come with the longest first; the innermost closes first.
    for mention in reversed(passage.mentions):
        if max(mention.start, first) < min(mention.end, last):
            at = min(mention.end, last) - 1
            ending.setdefault(at, []).append(str(mention.cluster))
    return {place: ",".join(clusters) for place, clusters in ending.items()}
