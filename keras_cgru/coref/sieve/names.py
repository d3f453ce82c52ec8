"""Which words are names: by capitals where a text has them, else by their company."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from keras_cgru.coref.sieve.closed_words import CLOSED, NUMBERED
from keras_cgru.coref.sieve.lexicon import is_plural, lexical_code
from keras_cgru.coref.sieve.people import (
    FEMALE_NAMES,
    KIN,
    MALE_NAMES,
    TIMES,
    TITLES,
)
from keras_cgru.coref.sieve.pronouns import PRONOUNS
from keras_cgru.coref.text.speech_verbs import SPEECH

GIVEN_NAMES = FEMALE_NAMES | MALE_NAMES
_NOT_NAMES = CLOSED.keys() | PRONOUNS.keys()
_CALLS = frozenset(
    "oh hey hi hello yes no well thanks please ah goodbye okay ok".split()
)
_ENDS = frozenset(". ! ? '' ” ’ ... ”".split())
_STOPS = frozenset(", . ! ? `` '' “ ” ; :".split())
_ROMAN = frozenset("IVXLC")
_SINGULAR_VERBS = frozenset("is was has does".split())
_BEFORE_PLACE = frozenset("in at to from of near for with by and into".split())
_BEFORE_SUBJECT = frozenset(
    "and but when as that if because while then before after until so".split()
)


def find_names(
    tokens: Sequence[str],
    words: Sequence[str],
    starts: Collection[int],
    cased: bool,
) -> set[int]:
    """Gives the positions of names, and of titles and kinship words that act as such.

    Args:
        tokens: The text.
        words: The same, lower-cased.
        starts: Where sentences start.
        cased: Whether capitals tell anything.
    """
    if cased:
        return _by_capitals(tokens, words, frozenset(starts))
    return _by_company(words)


def _by_capitals(
    tokens: Sequence[str], words: Sequence[str], starts: Collection[int]
) -> set[int]:
    seen_lower = {token for token in tokens if token.islower()}
    found: set[int] = set()
    doubtful: list[int] = []
    for position, token in enumerate(tokens):
        if not token[0].isupper():
            continue
        word = words[position]
        if word in _NOT_NAMES or word in NUMBERED:
            continue
        if word in TIMES and not _capital(tokens, position + 1):
            continue
        if len(token) > 1 and token.isupper() and "." not in token:
            # A heading, its number, or an emphasis in capitals.
            if lexical_code(word)[1] or word in seen_lower or _ROMAN.issuperset(token):
                continue
        first = position in starts or not (
            tokens[position - 1][0].isalnum() or tokens[position - 1] in (",", "&")
        )
        if first and word not in GIVEN_NAMES:
            doubtful.append(position)
        else:
            found.add(position)
    middles = {tokens[position] for position in found}
    for position in reversed(doubtful):
        word = words[position]
        sure = tokens[position] in middles or (word in TITLES and position + 1 in found)
        known = lexical_code(word)[1] or word in seen_lower
        if sure or not known or (position + 1 in found and _open(word)):
            found.add(position)
    return found


def _capital(tokens: Sequence[str], position: int) -> bool:
    return position < len(tokens) and tokens[position][0].isupper()


def _open(word: str) -> bool:
    return word not in _NOT_NAMES and lexical_code(word)[0] in "NAB"


def _by_company(words: Sequence[str]) -> set[int]:
    """Names of a text without capitals."""
    count = len(words)
    types: set[str] = set()
    hints: dict[str, int] = {}
    after_determiner: set[str] = set()
    for position, word in enumerate(words):
        before = words[position - 1] if position else "."
        if CLOSED.get(before) == "D" or (
            before in PRONOUNS and PRONOUNS[before].case == "possessive"
        ):
            after_determiner.add(word)
            continue
        if word in GIVEN_NAMES and not lexical_code(word)[1]:
            types.add(word)
        elif _may_be_name(word) and word not in types:
            after = words[position + 1] if position + 1 < count else "."
            if (
                before in TITLES
                or before in types
                or _acts_as_name(words, position, before, after)
            ):
                types.add(word)
            elif before in _BEFORE_PLACE and lexical_code(after)[0] not in "NABZEM":
                hints[word] = hints.get(word, 0) + 1
    types.update(word for word, count in hints.items() if count > 1)
    types -= after_determiner - GIVEN_NAMES
    found = {position for position, word in enumerate(words) if word in types}
    for position in range(count - 2, -1, -1):
        if words[position] in TITLES and position + 1 in found:
            found.add(position)
    return found


def _may_be_name(word: str) -> bool:
    if len(word) < 3 or not word.isalpha() or word in _NOT_NAMES or word in TITLES:
        return False
    if word in GIVEN_NAMES:
        return True
    code, known = lexical_code(word)
    return code == "N" and not known


def _acts_as_name(words: Sequence[str], position: int, before: str, after: str) -> bool:
    """Whether a bare unknown word stands where names stand."""
    if before in SPEECH and position > 1 and words[position - 2] in ("''", "”", "'"):
        return True
    if before in ("''", "”") and after in SPEECH:
        return True
    if after in _ENDS and before in _CALLS:
        return True
    if before == "," and after in _ENDS:
        return True
    if before in ("``", "“") and after in _STOPS:
        return True
    if before in _STOPS or before in _BEFORE_SUBJECT:
        if after == "'s" or after in SPEECH:
            return True
        if is_plural(words[position]) and after not in _SINGULAR_VERBS:
            return False
        code, known = lexical_code(after)
        return known and code in "FX" and after != "n't"
    if after == "'s" and position + 2 < len(words):
        return lexical_code(words[position + 2])[0] in "NBA"
    return False


def is_kin_name(word: str, before: str) -> bool:
    """Whether a word like "mother" stands without a determiner, as a name does."""
    return (
        word in KIN
        and CLOSED.get(before) not in ("D", "M", "S")
        and not (before in PRONOUNS and PRONOUNS[before].case == "possessive")
    )
