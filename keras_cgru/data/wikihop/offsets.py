"""Where tokens stand in the text that they were made of."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence

from keras_cgru.coref.text.canonical_text import CanonicalText
from keras_cgru.coref.text.marks import (
    DASHES,
    DOUBLE_QUOTES,
    ELLIPSES,
    HYPHENS,
    SINGLE_QUOTES,
)

_SPACE = re.compile(r"\s*")
# What the tokeniser may have written for a mark of the text.
_WRITTEN: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(HYPHENS, ("--", "-")),
    **dict.fromkeys(DASHES, ("--",)),
    **dict.fromkeys(ELLIPSES, ("...",)),
    **dict.fromkeys(SINGLE_QUOTES, ("'", "`")),
    **dict.fromkeys(DOUBLE_QUOTES, ("``", "''", '"')),
}


def token_offsets(text: str, tokens: Sequence[str]) -> list[tuple[int, int]]:
    """Finds the characters [start, end) of each token of `tokenise(text)[0]`.

    The tokeniser writes quotation marks, dashes and ellipses in its own way and drops
    nothing but space, so the tokens are walked along the text. Should that fail, both
    are compared as `keras_cgru.coref.align` compares two tokenisations.

    Args:
        text: Running text.
        tokens: Its tokens.

    Returns:
        As many pairs as tokens. Starts and ends never fall. A token without a
        counterpart has the empty span behind the one before it.
    """
    found: list[tuple[int, int]] = []
    position = 0
    for token in tokens:
        start = _skip_space(text, position)
        end = start + len(token)
        if not text.startswith(token, start):
            rewritten = _end_of(text, start, token)
            if rewritten is None:
                return _by_characters(text, tokens)
            end = rewritten
        found.append((start, end))
        position = end
    return found


def _skip_space(text: str, position: int) -> int:
    match = _SPACE.match(text, position)
    assert match is not None  # It matches nothing, too.
    return match.end()


def _end_of(text: str, start: int, token: str) -> int | None:
    """Behind the characters that became a token; None where they did not."""
    at, done = start, 0
    while done < len(token):
        if at == len(text):
            return None
        if text[at] == token[done]:
            at, done = at + 1, done + 1
            continue
        # "''" of the text may have become "``".
        if text[at : at + 2] in ("``", "''") and token[done : done + 2] in _QUOTES:
            at, done = at + 2, done + 2
            continue
        for written in _WRITTEN.get(text[at], ()):
            if token.startswith(written, done):
                at, done = at + 1, done + len(written)
                break
        else:
            return None
    return at


_QUOTES = ("``", "''")


def _by_characters(text: str, tokens: Sequence[str]) -> list[tuple[int, int]]:
    source, target = CanonicalText.of(list(text)), CanonicalText.of(tokens)
    found: list[tuple[int, int]] = []
    position = 0
    for number in range(len(tokens)):
        first = bisect_left(target.first, number)
        behind = bisect_left(target.first, number + 1)
        if source.text == target.text and first < behind:
            start = max(position, source.first[first])
            position = max(start, source.last[behind - 1] + 1)
        else:
            start = position
        found.append((start, position))
    return found
