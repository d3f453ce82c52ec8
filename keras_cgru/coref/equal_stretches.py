"""Which characters of two versions of a text are the same ones."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from difflib import SequenceMatcher
from itertools import accumulate

from keras_cgru.coref.anchors import anchors
from keras_cgru.coref.text.canonical_text import CanonicalText

_ATOM = re.compile(r"\w+|\W")
# From this length on difflib leaves frequent elements out of its search.
_AUTOJUNK = 200
# So many words difflib compares in little time, and so many in hardly any, even if
# they are all the same two.
_LONG = 1000
_STEP = 50

# Start and end in the source, start in the target; all in characters.
Stretch = tuple[int, int, int]


def equal_stretches(source: CanonicalText, target: CanonicalText) -> Iterator[Stretch]:
    """Pairs the stretches of two texts that differ somewhere.

    Words and single marks are compared in order, and where they differ the characters
    of the gap, since "ca", "n't" and "can", "'t" are the same. What differs then has no
    pairs inside: nothing is guessed from likeness.

    Yields:
        Start and end of a stretch of the source's characters, and where the same
        characters start in the target; rising on both sides.
    """
    words, other_words = _atoms(source), _atoms(target)
    yield from _compare_ends(words, other_words, 0, 0)


def _atoms(text: CanonicalText) -> list[str]:
    """Words and single marks, cut at the ends of tokens, too."""
    atoms: list[str] = []
    start = 0
    while start < len(text.text):
        end = bisect_left(text.first, text.first[start] + 1, start)
        atoms += _ATOM.findall(text.text, start, end)
        start = end
    return atoms


def _compare_ends(
    source: list[str], target: list[str], start: int, other: int, inner: bool = True
) -> Iterator[Stretch]:
    """Pairs the equal ends of two parts, and, if so wished, what lies between.

    Args:
        source: Atoms of the source.
        target: Atoms of the target.
        start: Where the source's start, in characters.
        other: Where the target's start.
        inner: Whether to compare what lies between.
    """
    prefix = _common_prefix(source, target)
    end, other_end = start + len("".join(source)), other + len("".join(target))
    if prefix:
        yield start, start + prefix, other
        source, target = _without(source, prefix), _without(target, prefix)
    suffix = _common_prefix(_reversed(source), _reversed(target))
    if inner and source and target:
        yield from _compare_inner(
            _reversed(_without(_reversed(source), suffix)),
            _reversed(_without(_reversed(target), suffix)),
            start + prefix,
            other + prefix,
        )
    if suffix:
        yield end - suffix, end, other_end - suffix


def _reversed(words: list[str]) -> list[str]:
    return [word[::-1] for word in reversed(words)]


def _without(words: list[str], num_characters: int) -> list[str]:
    ends = list(accumulate(map(len, words)))
    return words[bisect_left(ends, num_characters + 1) :]


def _common_prefix(source: list[str], target: list[str]) -> int:
    """How many characters are alike, up to where an atom ends in both."""
    one, other = "".join(source), "".join(target)
    shorter = min(len(one), len(other))
    alike = next((i for i in range(shorter) if one[i] != other[i]), shorter)
    ends = set(accumulate(map(len, source))) & set(accumulate(map(len, target)))
    return max((end for end in ends if end <= alike), default=0)


def _compare_inner(
    source: list[str], target: list[str], start: int, other: int
) -> Iterator[Stretch]:
    """Pairs the equal stretches of two parts of any length.

    difflib's work grows faster than its texts, so long ones are cut first where they
    surely are at the same place.
    """
    if len(source) <= _LONG and len(target) <= _LONG:
        yield from _compare(source, target, start, other)
        return
    ends = list(accumulate(map(len, source), initial=start))
    other_ends = list(accumulate(map(len, target), initial=other))
    done = other_done = 0
    for i, j, length in (*anchors(source, target), (len(source), len(target), 0)):
        gap, other_gap = source[done:i], target[other_done:j]
        if gap and other_gap:
            yield from _compare_gap(gap, other_gap, ends[done], other_ends[other_done])
        if length:
            yield ends[i], ends[i + length], other_ends[j]
        done, other_done = i + length, j + length


def _compare_gap(
    source: list[str], target: list[str], start: int, other: int
) -> Iterator[Stretch]:
    """Pairs what lies between two anchors, in step where that is long itself."""
    if len(source) <= _LONG and len(target) <= _LONG:
        yield from _compare_ends(source, target, start, other)
    else:
        yield from _compare_in_step(source, target, start, other)


def _compare_in_step(
    source: list[str], target: list[str], start: int, other: int
) -> Iterator[Stretch]:
    """Pairs two parts of hardly any but frequent words, piece by piece."""
    for first in range(0, min(len(source), len(target)), _STEP):
        piece, other_piece = (each[first : first + _STEP] for each in (source, target))
        yield from _compare(piece, other_piece, start, other, autojunk=False)
        start += len("".join(piece))
        other += len("".join(other_piece))


def _compare(
    source: list[str], target: list[str], start: int, other: int, autojunk: bool = True
) -> Iterator[Stretch]:
    """Pairs the equal stretches of two parts.

    difflib passes over frequent words where a part is long. Its gaps, which are mostly
    short, are then compared once more with all words.
    """
    codes = SequenceMatcher(None, source, target, autojunk).get_opcodes()
    starts = list(accumulate(map(len, source), initial=start))
    others = list(accumulate(map(len, target), initial=other))
    # How many characters differ around each stretch: 0 where only the splits do.
    gaps = [0]
    for tag, a, b, c, d in codes:
        same = tag == "equal" or "".join(source[a:b]) == "".join(target[c:d])
        gaps.append(0 if same else max(starts[b] - starts[a], others[d] - others[c]))
    gaps.append(0)
    for index, (tag, a, b, c, d) in enumerate(codes, start=1):
        if tag == "equal":
            # A short word amid much that differs is more likely another one.
            if starts[b] - starts[a] >= min(gaps[index - 1], gaps[index + 1]):
                yield starts[a], starts[b], others[c]
        elif tag == "replace" and not gaps[index]:
            yield starts[a], starts[b], others[c]
        elif tag == "replace" and autojunk and len(target) >= _AUTOJUNK:
            yield from _compare_frequent(source[a:b], target[c:d], starts[a], others[c])
        elif tag == "replace":
            yield from _compare_ends(
                source[a:b], target[c:d], starts[a], others[c], inner=False
            )


def _compare_frequent(
    source: list[str], target: list[str], start: int, other: int
) -> Iterator[Stretch]:
    """Pairs the words of a gap that difflib passed over as frequent."""
    if max(len(source), len(target)) <= _AUTOJUNK:
        yield from _compare(source, target, start, other, autojunk=False)
    else:
        yield from _compare_in_step(source, target, start, other)
