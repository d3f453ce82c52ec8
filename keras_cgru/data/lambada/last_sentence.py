"""Finds the last sentence of a lower-case, tokenised narrative."""

from __future__ import annotations

from collections.abc import Sequence

from keras_cgru.coref.text.abbreviations import is_abbreviation
from keras_cgru.coref.text.marks import ELLIPSIS, OPENING_QUOTES, TERMINAL
from keras_cgru.coref.text.open_quotes import OpenQuotes
from keras_cgru.coref.text.speech_verbs import SAYING
from keras_cgru.coref.text.stop_words import FUNCTION_WORDS
from keras_cgru.coref.text.straight import straight_tokens
from keras_cgru.coref.text.token_sentences import behind_marks

_PRONOUNS = frozenset("i you he she it we they".split())
_DETERMINERS = frozenset(
    "the a an this that another his her my our your their its".split()
)
# Between a subject and its verb, beside adverbs in -ly.
_BEFORE_VERB = frozenset("had just then only finally".split())
# A question is not what these say.
_ANSWERING = frozenset("replied replies answered answers repeated".split())
# "His older sister mindy quietly asked" is about as long as subjects get.
_LONGEST_SUBJECT = 6


def last_sentence_start(tokens: Sequence[str]) -> int:
    """Gives the position of the first token of the last sentence.

    A sentence ends after a run of ``. ! ?`` and the quotes and brackets that close
    right behind it. Three things that look like an end are none:

    * a full stop that belongs to an abbreviation or an initial: ``mr .``, ``j .``;
    * an ellipsis, unless a quotation closes or opens behind it. Without capitals
      nothing tells "he 's ... upset" from "it was over ... she left", and the former
      is the more frequent;
    * a mark inside a quotation that the narrator attributes in the same sentence:
      ``who is it ? '' asked mary``, ``who is it ? '' mary asked``. Who answers a
      question and is then quoted begins a sentence, though:
      ``who is it ? '' mary replied , `` tom``.

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
        return not _attributes(tokens, end, question="?" in mark)
    return True


def _attributes(tokens: Sequence[str], start: int, question: bool) -> bool:
    """Whether the words from `start` say who spoke: "asked mary", "mary asked"."""
    if tokens[start] in SAYING:
        return True
    end = min(start + _LONGEST_SUBJECT + 1, len(tokens))
    verb = next((i for i in range(start, end) if tokens[i] in SAYING), start)
    if verb == start or not _is_subject(tokens[start:verb]):
        return False
    behind = tokens[verb + 1 : verb + 4]
    quotes_next = any(mark in OPENING_QUOTES for mark in behind)
    return not (question and tokens[verb] in _ANSWERING and quotes_next)


def _is_subject(words: Sequence[str]) -> bool:
    """Whether these are a pronoun, a name or a noun, and adverbs at most."""
    while words and (words[-1].endswith("ly") or words[-1] in _BEFORE_VERB):
        words = words[:-1]
    if len(words) == 1 and words[0] in _PRONOUNS:
        return True
    if words and words[0] in _DETERMINERS:
        words = words[1:]
    # "mr ." may be two tokens, and "mary 's brother" three.
    marks = ("'s", ".")
    named = [word for word in words if word not in marks]
    return (
        bool(named)
        and words[0] not in marks
        and words[-1] not in marks
        and all(word[0].isalpha() and word not in FUNCTION_WORDS for word in named)
    )
