"""Number, gender and role of a mention."""

from __future__ import annotations

from keras_cgru.coref.sieve import people
from keras_cgru.coref.sieve.closed_words import (
    PLURAL_DETERMINERS,
    SINGULAR_DETERMINERS,
)
from keras_cgru.coref.sieve.lexicon import is_plural
from keras_cgru.coref.sieve.mention import Mention
from keras_cgru.coref.sieve.pronouns import (
    ANY_GENDER,
    ANY_NUMBER,
    FEMALE,
    MALE,
    NEUTER,
    PERSON,
    PLURAL,
    SINGULAR,
)
from keras_cgru.coref.sieve.text import Text


def set_attributes(mention: Mention, text: Text) -> None:
    """Fills number, gender and role from the words of the mention and around it."""
    if mention.kind != "pronoun":
        mention.number = _number(mention, text)
        mention.gender = _gender(mention, text)
    mention.subject = _is_subject(mention, text)


def _number(mention: Mention, text: Text) -> int:
    word = mention.word
    if mention.kind == "name":
        plural = mention.start < mention.head and text.words[mention.start] == "the"
        return ANY_NUMBER if plural and word.endswith("s") else SINGULAR
    if word in people.IRREGULAR_PLURALS:
        return PLURAL
    first = text.words[mention.start]
    if first in SINGULAR_DETERMINERS:
        number = SINGULAR
    elif first in PLURAL_DETERMINERS:
        number = PLURAL
    elif is_plural(word):
        number = PLURAL
    else:
        number = SINGULAR
    if word in people.GROUP_NOUNS:
        return ANY_NUMBER
    return number


def noun_gender(word: str) -> int:
    """The possible genders of what a noun names."""
    if word in people.MALE_NOUNS:
        return MALE
    if word in people.FEMALE_NOUNS:
        return FEMALE
    if word in people.GROUP_NOUNS:
        return ANY_GENDER
    if word in people.PERSON_NOUNS or word in people.VOCATIVES:
        return PERSON
    if word in people.PLACE_NOUNS:
        return NEUTER
    if word.endswith(people.PERSON_ENDINGS):
        if word.endswith(("woman", "women", "ess")):
            return FEMALE
        return MALE if word.endswith(("man", "men")) else PERSON
    if word.endswith(("er", "or", "ers", "ors", "ee")):
        return NEUTER if word.removesuffix("s") in people.THINGS else ANY_GENDER
    return NEUTER


def _gender(mention: Mention, text: Text) -> int:
    if mention.kind == "noun" and text.codes[mention.head] != "E":
        return noun_gender(mention.word)
    words = text.words[mention.start : mention.head + 1]
    for word in words:
        if word in people.MALE_TITLES or (
            word in people.MALE_NOUNS and word not in people.MALE_NAMES
        ):
            return MALE
        if word in people.FEMALE_TITLES or word in people.FEMALE_NOUNS:
            return FEMALE
    if any(word in people.PLACE_NOUNS for word in words):
        return NEUTER
    titled = words[0] in people.TITLES and len(words) > 1
    for word in words:
        male, female = word in people.MALE_NAMES, word in people.FEMALE_NAMES
        if male or female:
            return MALE * male | FEMALE * female
    if titled or words[-1] in people.TITLES:
        return PERSON
    return ANY_GENDER


def _behind_inset(text: Text, position: int) -> int:
    """Skips what stands between commas: "Mary , in reply , opened"."""
    for after in range(position + 2, min(position + 14, len(text.words))):
        if text.words[after] == ",":
            return after + 1
        if text.codes[after] in ".Q":
            break
    return position


def _is_subject(mention: Mention, text: Text) -> bool:
    if mention.kind == "pronoun" and mention.case:
        return mention.case == "subject"
    codes = text.codes
    position = mention.end
    if position < len(codes) and text.words[position] == ",":
        position = _behind_inset(text, position)
    while position < len(codes) and codes[position] == "R":
        position += 1
    if position >= len(codes) or codes[position] not in "VXS":
        return False
    before = mention.start - 1
    return before < 0 or codes[before] not in "IT"
