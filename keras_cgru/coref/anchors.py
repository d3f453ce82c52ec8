"""Where two long versions of a text surely are at the same place."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

# So many words in a row that neither version repeats are no chance.
_RUN = 3

# Position in the one, position in the other, number of words.
Block = tuple[int, int, int]


def anchors(source: Sequence[str], target: Sequence[str]) -> list[Block]:
    """Finds equal blocks around runs of words that both sides have just once.

    Takes time in proportion to the words, however much the two differ.

    Returns:
        Blocks that rise on both sides and do not overlap.
    """
    there = _once(target)
    pairs = [(i, there[run]) for run, i in _once(source).items() if run in there]
    blocks: list[Block] = []
    end = other_end = 0
    for i, j in _rising(pairs):
        if blocks and i - j == end - other_end and i <= end:
            # The run overlaps the one before and lengthens its block.
            first, other_first, _ = blocks[-1]
            blocks[-1] = first, other_first, i + _RUN - first
        elif i >= end and j >= other_end:
            blocks.append((i, j, _RUN))
        else:
            continue
        end, other_end = i + _RUN, j + _RUN
    return blocks


def _once(words: Sequence[str]) -> dict[tuple[str, ...], int]:
    """The place of each run that occurs once, rising."""
    places: dict[tuple[str, ...], int] = {}
    for place in range(len(words) - _RUN + 1):
        run = tuple(words[place : place + _RUN])
        places[run] = -1 if run in places else place
    return {run: place for run, place in places.items() if place >= 0}


def _rising(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The most pairs whose second numbers rise as their first ones do."""
    lowest: list[int] = []
    ends: list[int] = []
    before: list[int] = []
    for index, (_, number) in enumerate(pairs):
        length = bisect_left(lowest, number)
        before.append(ends[length - 1] if length else -1)
        lowest[length : length + 1] = [number]
        ends[length : length + 1] = [index]
    chosen: list[tuple[int, int]] = []
    index = ends[-1] if ends else -1
    while index >= 0:
        chosen.append(pairs[index])
        index = before[index]
    return chosen[::-1]
