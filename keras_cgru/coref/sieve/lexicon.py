"""The class of a word by itself, before its neighbours are looked at."""

from __future__ import annotations

from functools import lru_cache

from keras_cgru.coref.sieve import open_words as words
from keras_cgru.coref.sieve.closed_words import CLOSED
from keras_cgru.coref.sieve.people import (
    IRREGULAR_PLURALS,
    MASS_NOUNS,
    PERSON_NOUNS,
    PLACE_NOUNS,
    TIMES,
)

_NOUNS = (PERSON_NOUNS | PLACE_NOUNS | TIMES | MASS_NOUNS) - words.VERB_BASES

_NOT_PLURAL = ("ss", "us", "is", "'s")


@lru_cache(maxsize=1 << 16)
def lexical_code(word: str) -> tuple[str, bool]:
    """Gives the code of a lower-cased word and whether a list or an ending gave it.

    Beside the codes of `closed_words` there are three that the neighbours decide:
    "B" is a verb's base form or a noun, "Z" a verb's -s form or a plural, "F" a past
    form or a participle.
    """
    code = CLOSED.get(word)
    if code is not None:
        return code, True
    if word in words.VERB_PASTS:
        return "F", True
    if word in words.ADJECTIVES:
        return "A", True
    if word in _NOUNS:
        return "N", True
    if word in words.VERB_BASES:
        return "B", True
    if word in words.VERB_THIRDS:
        return "Z", True
    if word in words.ADVERBS:
        return "R", True
    return _by_form(word)


def _by_form(word: str) -> tuple[str, bool]:
    if not word[0].isalnum():
        return (",", True) if not any(map(str.isalnum, word)) else ("N", False)
    if word[0].isdigit():
        return "M", True
    if len(word) > 4 and word.endswith("ing") and word not in words.NOT_ING:
        return "G", True
    if len(word) > 3 and word.endswith("ed") and word not in words.NOT_ED:
        return "F", True
    if len(word) > 4 and word.endswith("ly") and word not in words.NOT_ADVERBS:
        return "R", True
    if word.endswith(words.NOUN_ENDINGS):
        return "N", True
    if len(word) > 4 and word.endswith(words.ADJECTIVE_ENDINGS):
        return "A", True
    return "N", False


def is_plural(word: str) -> bool:
    """Whether a noun by itself looks like a plural."""
    if word in IRREGULAR_PLURALS:
        return True
    return len(word) > 3 and word.endswith("s") and not word.endswith(_NOT_PLURAL)
