"""Finds the last sentence of a lower-case, tokenised narrative."""

from __future__ import annotations

from collections.abc import Sequence

from keras_cgru.coref.text.abbreviations import is_abbreviation
from keras_cgru.coref.text.marks import ELLIPSIS, OPENING_QUOTES, TERMINAL
from keras_cgru.coref.text.open_quotes import OpenQuotes
from keras_cgru.coref.text.speech_verbs import SAYING
from keras_cgru.coref.text.straight import straight_tokens
from keras_cgru.coref.text.token_sentences import behind_marks

# What may stand before the one noun of a short subject.
_DETERMINERS = frozenset("the a an my your his her our their this that".split())


def last_sentence_start(tokens: Sequence[str]) -> int:
    """Gives the position of the first token of the last sentence.

    A sentence ends after a run of ``. ! ?`` and the quotes and brackets that close
    right behind it. Three things that look like an end are none:

    * a full stop that belongs to an abbreviation or an initial: ``mr .``, ``j .``;
    * an ellipsis, unless a quotation closes or opens behind it. Without capitals
      nothing tells "he 's ... upset" from "it was over ... she left", and the former
      is the more frequent;
    * a mark inside a quotation that the narrator attributes in the same sentence:
      ``who is it ? '' asked mary``, ``mary asked``, ``the man asked``.

    Args:
        tokens: A passage that stops before the end of its last sentence.

    Returns:
        A position below `len(tokens)`; 0 where the passage is one sentence.
    """
    tokens = straight_tokens(tokens)
    start, position = 0, 0
    quotes = OpenQuotes(tokens)
    while position < len(tokens):
        if not TERMINAL.fullmatch(tokens[position]):
            quotes.follow(position)
            position += 1
            continue
        end, _ = behind_marks(tokens, position + 1, quotes)
        if end < len(tokens) and _ends_sentence(tokens, position, end):
            start = end
        position = end
    return start


def _ends_sentence(tokens: Sequence[str], position: int, end: int) -> bool:
    """Whether the mark at `position`, closed at `end`, ends a sentence."""
    mark, quoted = tokens[position], end > position + 1
    if mark == "." and not quoted:
        return not is_abbreviation(tokens[position - 1] if position else "")
    if ELLIPSIS.fullmatch(mark) and not quoted:
        return tokens[end] in OPENING_QUOTES
    if mark != "." and quoted:
        return not _attributes(tokens[end : end + 3])
    return True


def _attributes(tokens: Sequence[str]) -> bool:
    """Whether the words say who spoke: "asked mary", "mary asked", "the man asked"."""
    if tokens[0] in SAYING:
        return True
    subject = 2 if tokens[0] in _DETERMINERS else 1
    return (
        len(tokens) > subject
        and tokens[subject] in SAYING
        and all(map(str.isalpha, tokens[:subject]))
    )
