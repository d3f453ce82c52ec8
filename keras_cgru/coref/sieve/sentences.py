"""Where sentences start when nobody says so."""

from __future__ import annotations

import re
from collections.abc import Sequence

_TERMINAL = re.compile(r"[.!?…]+")
_ELLIPSIS = re.compile(r"\.{2,}|…")
_CLOSING = frozenset("'' ” ’ ’” » ) -rrb- -RRB- ]".split())
_ABBREVIATIONS = frozenset(
    "mr mrs ms dr st prof rev gen col capt lt sgt sr jr vs mt messrs mme mlle".split()
)


def sentence_starts(tokens: Sequence[str]) -> tuple[int, ...]:
    """Gives the positions at which sentences start.

    A sentence ends behind a run of ``. ! ?`` and the quotes and brackets that close
    there. The full stop of an abbreviation or an initial ends none, nor does an
    ellipsis before a word in lower case, nor does a quotation's mark before a word in
    lower case of a text that has capitals.

    Args:
        tokens: A text.

    Returns:
        Rising positions from 0; none for an empty text.
    """
    if not tokens:
        return ()
    cased = any(token[:1].isupper() for token in tokens)
    starts = [0]
    position, count = 0, len(tokens)
    while position < count:
        mark = tokens[position]
        position += 1
        if mark[:1] not in ".!?…" or not _TERMINAL.fullmatch(mark):
            continue
        quoted = False
        while position < count and (
            tokens[position] in _CLOSING or _TERMINAL.fullmatch(tokens[position])
        ):
            quoted = quoted or tokens[position] in _CLOSING
            position += 1
        if position >= count:
            break
        lower_next = tokens[position][:1].islower()
        if mark == "." and not quoted and _abbreviates(tokens[position - 2]):
            continue
        if (_ELLIPSIS.fullmatch(mark) or (quoted and cased)) and lower_next:
            continue
        starts.append(position)
    return tuple(starts)


def _abbreviates(word: str) -> bool:
    lower = word.lower()
    initial = len(word) == 1 and word.isalpha() and lower not in ("a", "i")
    return initial or lower in _ABBREVIATIONS
