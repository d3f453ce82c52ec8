"""Splits running text into paragraphs and sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator

from keras_cgru.coref.text.abbreviations import NUMBERED, RARE_TITLES, TITLES

_BLANK_LINE = re.compile(r"\n[^\S\n]*\n")
# The marks, what closes behind them, and the space that follows.
_END = re.compile(r"""([.!?…]+)(["'”’»)\]]*)\s+""")
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
    cased = any(letter.isupper() for letter in paragraph)
    start = 0
    for end in _END.finditer(paragraph):
        if end.end() == len(paragraph):
            break
        before = paragraph[start : end.start()].split()
        following = paragraph[end.end() : end.end() + 40]
        if _ends(end[1], end[2], before[-1] if before else "", following, cased):
            yield paragraph[start : end.end()].strip()
            start = end.end()
    if paragraph[start:].strip():
        yield paragraph[start:].strip()


def _ends(mark: str, closing: str, word: str, following: str, cased: bool) -> bool:
    if mark == "." and not closing:
        word = word.lstrip("\"'“‘«([")
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
        _starts_lower(following) and (cased or mark.startswith("..") or mark == "…")
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
