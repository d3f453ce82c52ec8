"""Splits running text into paragraphs and sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from keras_cgru.coref.text.abbreviations import NUMBERED, RARE_TITLES, TITLES
from keras_cgru.coref.text.marks import DOUBLE_QUOTES, ELLIPSES, SINGLE_QUOTES

_BLANK_LINE = re.compile(r"\n[^\S\n]*\n")
_MARKS = ".!?" + ELLIPSES
_QUOTES = DOUBLE_QUOTES + SINGLE_QUOTES
_CLOSING = _QUOTES + ")]"
_OPENING = _QUOTES + "(["
_LAST = frozenset(_MARKS + _CLOSING)
# So many characters tell how the next sentence begins.
_FOLLOWING = 40
_SPACED = re.compile(r"\S+")
_ABBREVIATIONS = TITLES | RARE_TITLES
_ACRONYM = re.compile(r"(?:[^\W\d_]\.)+[^\W\d_]")
# A full stop behind an acronym is its own more often than not, unless one of these
# follows.
_OPENERS = frozenset(
    """
    a after all although an and as at but by for he her his however i if in it its many
    most my no on one our she since so some that the their there these they this those
    to we what when while who with you
    """.split()
)
_WORD = re.compile(r"[^\W\d_]+")


def split_paragraphs(text: str) -> Iterator[str]:
    """Yields the paragraphs of a text, which blank lines separate."""
    for paragraph in _BLANK_LINE.split(text):
        if paragraph.strip():
            yield paragraph.strip()


def split_sentences(paragraph: str) -> Iterator[str]:
    """Yields the sentences of a paragraph, without the space around them.

    A sentence ends behind a run of ``. ! ? …`` and the quotes and brackets that close
    there, when space follows. It does not end

    * behind a title or abbreviation such as "Mr." or "vol. 2", or an initial: "J. Doe";
    * behind an acronym such as "U.S.", unless a word follows that often begins a
      sentence: "to the U.S. The army";
    * before a word in lower case, if the paragraph has capitals at all: "'Who is it?'
      asked Mary";
    * behind an ellipsis before a word in lower case.

    Args:
        paragraph: Running text.
    """
    cased = _has_capitals(paragraph)
    start = 0
    before = ""
    end: _End | None = None
    # Word by word, since a pattern for a whole end is tried at each of 10,000 dots.
    for match in _SPACED.finditer(paragraph):
        position = match.start()
        if end is not None and _ends(
            end, paragraph[position : position + _FOLLOWING], cased
        ):
            yield paragraph[start:position].rstrip()
            start, before = position, ""
        word = match[0]
        end = _end_of(word, before) if word[-1] in _LAST else None
        before = word
    if paragraph[start:].strip():
        yield paragraph[start:].strip()


def _has_capitals(text: str) -> bool:
    if text.isascii():
        return text != text.lower()
    return any(map(str.isupper, text))


class _End(NamedTuple):
    """What may be a sentence's: a word, the marks behind it, and what closes there."""

    word: str
    mark: str
    closing: str


def _end_of(spaced: str, before: str) -> _End | None:
    """Reads the end of what stands between spaces; None where there is no mark."""
    marked = spaced.rstrip(_CLOSING)
    word = marked.rstrip(_MARKS)
    if len(word) == len(marked):
        return None
    return _End(word or before, marked[len(word) :], spaced[len(marked) :])


def _ends(end: _End, following: str, cased: bool) -> bool:
    word, mark, closing = end
    if mark == "." and not closing:
        word = word.lstrip(_OPENING)
        if (
            word.lower() in _ABBREVIATIONS
            or len(word) == 1
            and word.isupper()
            and word != "I"
        ):
            return False
        if word.lower() in NUMBERED and following[0].isdigit():
            return False
        if _ACRONYM.fullmatch(word) and not _opens(following):
            return False
    return not (
        _starts_lower(following)
        and (cased or mark.startswith("..") or mark[0] in ELLIPSES)
    )


def _opens(following: str) -> bool:
    found = _WORD.search(following)
    return found is not None and found[0].lower() in _OPENERS


def _starts_lower(following: str) -> bool:
    found = _WORD.search(following)
    # What stands before the first letter may be a quote, but a number is a beginning.
    if found is None or any(c.isdigit() for c in following[: found.start()]):
        return False
    return found[0][0].islower()
