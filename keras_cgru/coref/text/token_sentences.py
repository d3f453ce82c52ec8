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
from keras_cgru.coref.text.open_quotes import OpenQuotes
from keras_cgru.coref.text.straight import straight_tokens

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
    tokens = straight_tokens(tokens)
    cased = any(token[:1].isupper() for token in tokens)
    quotes = OpenQuotes(tokens)
    starts = [0]
    position, count = 0, len(tokens)
    while position < count:
        mark = tokens[position]
        if mark[:1] not in ".!?" or not TERMINAL.fullmatch(mark):
            quotes.follow(position)
            position += 1
            continue
        end, quoted = behind_marks(tokens, position + 1, quotes)
        if end < count and _ends(tokens, position, end, quoted, cased):
            starts.append(end)
        position = end
    return tuple(starts)


def behind_marks(
    tokens: Sequence[str], position: int, quotes: OpenQuotes
) -> tuple[int, bool]:
    """Skips quotes and brackets that close here, and further terminal marks.

    Args:
        tokens: A text with straight marks.
        position: The one behind a terminal mark.
        quotes: What is open here; goes on to the result.

    Returns:
        The position behind all these, and whether a quote or bracket was among them.
    """
    quoted = False
    while position < len(tokens):
        token = tokens[position]
        closes = token in _CLOSING or quotes.closes(token)
        if not closes and not TERMINAL.fullmatch(token):
            break
        quoted = quoted or closes
        quotes.follow(position)
        position += 1
    return position, quoted


def _ends(
    tokens: Sequence[str], position: int, end: int, quoted: bool, cased: bool
) -> bool:
    """Whether the mark at `position`, behind which `end` is, ends a sentence."""
    mark, lower_next = tokens[position], tokens[end][:1].islower()
    before = tokens[end - 2] if end > 1 else ""
    if mark == "." and not quoted and is_abbreviation(before):
        return False
    return not ((ELLIPSIS.fullmatch(mark) or (quoted and cased)) and lower_next)
