"""Finds the last sentence of a lower-case, tokenised narrative."""

from __future__ import annotations

from collections.abc import Sequence

from keras_cgru.coref.text.abbreviations import is_abbreviation
from keras_cgru.coref.text.marks import (
    CLOSING_BRACKETS,
    CLOSING_QUOTES,
    ELLIPSIS,
    OPENING_QUOTES,
    TERMINAL,
)
from keras_cgru.coref.text.speech_verbs import SAYING

_CLOSING = CLOSING_QUOTES | CLOSING_BRACKETS
# These open a quotation or close it: which of the two depends on what is open.
_EITHER = frozenset("' \"".split())
_CLOSED_BY = {"'": frozenset("` ' ‘".split()), '"': frozenset('"')}

_PRONOUNS = frozenset("i you he she it we they".split())


def last_sentence_start(tokens: Sequence[str]) -> int:
    """Gives the position of the first token of the last sentence.

    A sentence ends after a run of ``. ! ?`` and the quotes and brackets that close
    right behind it. Three things that look like an end are none:

    * a full stop that belongs to an abbreviation or an initial: ``mr .``, ``j .``;
    * an ellipsis, unless a quotation closes or opens behind it. Without capitals
      nothing tells "he 's ... upset" from "it was over ... she left", and the former
      is the more frequent;
    * a mark inside a quotation that the narrator attributes in the same sentence:
      ``who is it ? '' asked mary``.

    Args:
        tokens: A passage that stops before the end of its last sentence.

    Returns:
        A position below `len(tokens)`; 0 where the passage is one sentence.
    """
    start, position = 0, 0
    open_quotes: set[str] = set()
    while position < len(tokens):
        if not TERMINAL.fullmatch(tokens[position]):
            _follow_quote(tokens, position, open_quotes)
            position += 1
            continue
        end = _behind_closing_marks(tokens, position + 1, open_quotes)
        if end < len(tokens) and _ends_sentence(tokens, position, end):
            start = end
        position = end
    return start


def _behind_closing_marks(
    tokens: Sequence[str], position: int, open_quotes: set[str]
) -> int:
    """Skips the quotes and brackets that close here, and further terminal marks."""
    while position < len(tokens):
        token = tokens[position]
        closes = token in _CLOSING or bool(
            _CLOSED_BY.get(token, frozenset()) & open_quotes
        )
        if not closes and not TERMINAL.fullmatch(token):
            break
        _follow_quote(tokens, position, open_quotes)
        position += 1
    return position


def _follow_quote(tokens: Sequence[str], position: int, open_quotes: set[str]) -> None:
    """Keeps account of the quotations that only ``'`` or ``"`` could close."""
    token = tokens[position]
    if token in OPENING_QUOTES:
        open_quotes.add(token)
    elif token in _EITHER:
        closed = _CLOSED_BY[token] & open_quotes
        if closed:
            open_quotes -= closed
        elif position == 0 or not tokens[position - 1][-1].isalnum():
            # Behind a word it is the possessive of a plural: the boys ' room.
            open_quotes.add(token)


def _ends_sentence(tokens: Sequence[str], position: int, end: int) -> bool:
    """Whether the mark at `position`, closed at `end`, ends a sentence."""
    mark, quoted = tokens[position], end > position + 1
    if mark == "." and not quoted:
        return not is_abbreviation(tokens[position - 1] if position else "")
    if ELLIPSIS.fullmatch(mark) and not quoted:
        return tokens[end] in OPENING_QUOTES
    if mark != "." and quoted:
        return not _attributes(tokens[end : end + 2])
    return True


def _attributes(tokens: Sequence[str]) -> bool:
    """Whether the words say who spoke: "asked mary", "he said"."""
    if tokens[0] in SAYING:
        return True
    return len(tokens) == 2 and tokens[0] in _PRONOUNS and tokens[1] in SAYING
