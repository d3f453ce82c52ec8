"""The tokens of nltk's tokeniser, remembered word by word."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from itertools import chain
from typing import Any

_INSTALL = 'pip install "keras-cgru[recipes]"'
# Words that are remembered, and how long one may be: a bound on memory.
_MOST, _LONGEST = 1 << 17, 64
# Behind the last full stop these do not keep it from being the sentence's.
_CLOSING = "])}>\"'»”’"
# A word that no rule of nltk looks at, but for its being one.
_PLAIN = "a"
# Marks, a word or several joined by hyphens, and marks. What apostrophes in front mean
# depends on the word, and what commas and colons mean on whether it is a number.
_MARKED = re.compile(
    r"((?:[^\w']|_)*)(?:(?<![:,])|(?!\d))([^\W_]+(?:-[^\W_]+)*)([\W_]*)"
)
# These nltk splits.
_JOINED = re.compile(r"\b(?:cannot|gimme|gonna|gotta|lemme|wanna)\b", re.IGNORECASE)


class WordTokens:
    """Splits sentences as nltk's `NLTKWordTokenizer` does, in a fraction of its time.

    Its patterns look at what stands between spaces, but for three things: whether that
    is the first or the last of the sentence, and whether nothing but closing quotes and
    brackets follow. So each word between spaces is given to it once, in the middle of
    a sentence, and first and last words in their places. Of a plain word with marks
    around it, the marks are given alone.

    Raises:
        ImportError: nltk is not installed; the message says how to install it.
    """

    def __init__(self) -> None:
        self._nltk = _nltk_tokeniser().tokenize
        # By the places of a word: followed by others, between others, behind others.
        self._first = _Memory(lambda word: self._split(word, before=False))
        self._middle = _Memory(self._split)
        self._last = _Memory(lambda word: self._split(word, behind=False))
        self._marks: dict[tuple[str, str, bool, bool], list[str]] = {}

    def of(self, sentence: str) -> list[str]:
        """Gives the tokens of a sentence, whose spaces may be of any kind."""
        words = sentence.split()
        if not words:
            return []
        tail = len(words) - 1
        while tail and not words[tail].strip(_CLOSING):
            tail -= 1
        if not tail:
            # There is no word in the middle.
            return self._nltk(" ".join(words))
        end = self._last[
            words[-1] if tail == len(words) - 1 else " ".join(words[tail:])
        ]
        first = words[0]
        if first[0].isalnum():
            return [*self._all(words[:tail]), *end]
        return [*self._first[first], *self._all(words[1:tail]), *end]

    def _all(self, words: Sequence[str]) -> chain[str]:
        return chain.from_iterable(map(self._middle.__getitem__, words))

    def _split(
        self, word: str, before: bool = True, behind: bool = True
    ) -> tuple[str, ...]:
        """The tokens of a word, with other words before and behind it or without."""
        found = _MARKED.fullmatch(word)
        if found is None or not _is_plain(found[2]):
            return tuple(self._in_place(word, before, behind))
        opening, plain, closing = found.groups()
        if not opening and not closing:
            return (word,)
        key = opening, closing, before, behind
        tokens = self._marks.get(key)
        if tokens is None:
            tokens = self._in_place(opening + _PLAIN + closing, before, behind)
            if len(word) <= _LONGEST and len(self._marks) < _MOST:
                self._marks[key] = tokens
        # In one of them it is, alone or with a mark that nltk leaves there: "Mr."
        return tuple(token.replace(_PLAIN, plain) for token in tokens)

    def _in_place(self, word: str, before: bool, behind: bool) -> list[str]:
        first, last = f"{_PLAIN} " * before, f" {_PLAIN}" * behind
        tokens: list[str] = self._nltk(first + word + last)
        return tokens[before : len(tokens) - behind]


def _is_plain(word: str) -> bool:
    if _JOINED.search(word):
        return False
    # Of other characters, such as ², nltk's patterns do not say that they are words'.
    return word.isascii() or all(c.isalpha() or c.isdecimal() or c == "-" for c in word)


@cache
def word_tokens() -> WordTokens:
    """The one of this process.

    Raises:
        ImportError: See `WordTokens`.
    """
    return WordTokens()


class _Memory(dict[str, tuple[str, ...]]):
    """What a function gives, remembered for the words of a language."""

    def __init__(self, function: Any) -> None:
        super().__init__()
        self._function = function

    def __missing__(self, word: str) -> tuple[str, ...]:
        tokens: tuple[str, ...] = self._function(word)
        if len(word) <= _LONGEST:
            if len(self) >= _MOST:
                self.clear()
            self[word] = tokens
        return tokens


def _nltk_tokeniser() -> Any:
    try:
        from nltk.tokenize import NLTKWordTokenizer
    except ImportError as error:
        raise ImportError(
            f"running text is tokenised with nltk. Install it with: {_INSTALL} "
            f"({error})"
        ) from error
    return NLTKWordTokenizer()
