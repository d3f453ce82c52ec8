"""Where sentences of tokenised text start when nobody says so."""

from __future__ import annotations

from collections.abc import Sequence

from keras_cgru.coref.text.abbreviations import is_abbreviation
from keras_cgru.coref.text.marks import (
    CLOSING_BRACKETS,
    CLOSING_QUOTES,
    ELLIPSIS,
    TERMINAL,
)

_CLOSING = CLOSING_QUOTES | CLOSING_BRACKETS


def find_sentence_starts(tokens: Sequence[str]) -> tuple[int, ...]:
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
        if mark[:1] not in ".!?…" or not TERMINAL.fullmatch(mark):
            continue
        quoted = False
        while position < count and (
            tokens[position] in _CLOSING or TERMINAL.fullmatch(tokens[position])
        ):
            quoted = quoted or tokens[position] in _CLOSING
            position += 1
        if position >= count:
            break
        lower_next = tokens[position][:1].islower()
        if mark == "." and not quoted and is_abbreviation(tokens[position - 2]):
            continue
        if (ELLIPSIS.fullmatch(mark) or (quoted and cased)) and lower_next:
            continue
        starts.append(position)
    return tuple(starts)
