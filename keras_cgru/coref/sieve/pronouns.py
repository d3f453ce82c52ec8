"""The personal pronouns of English, old forms included."""

from __future__ import annotations

from typing import NamedTuple

# Sets of values as bits: agreement is "and", and 0 is a contradiction.
MALE, FEMALE, NEUTER = 1, 2, 4
PERSON = MALE | FEMALE
ANY_GENDER = PERSON | NEUTER
SINGULAR, PLURAL = 1, 2
ANY_NUMBER = SINGULAR | PLURAL


class Pronoun(NamedTuple):
    """What a pronoun says of the one it stands for."""

    person: int
    number: int
    gender: int
    case: str  # "subject", "object", "possessive" or "reflexive"; "" for several


def _table(person: int, number: int, gender: int, **forms: str) -> dict[str, Pronoun]:
    return {
        word: Pronoun(person, number, gender, case if case != "several" else "")
        for case, words in forms.items()
        for word in words.split()
    }


PRONOUNS: dict[str, Pronoun] = {
    **_table(
        1,
        SINGULAR,
        PERSON,
        subject="i",
        object="me",
        possessive="my",
        reflexive="myself",
    ),
    **_table(
        1,
        PLURAL,
        PERSON,
        subject="we",
        object="us",
        possessive="our",
        reflexive="ourselves",
    ),
    **_table(2, ANY_NUMBER, PERSON, several="you ye ya", possessive="your"),
    **_table(2, SINGULAR, PERSON, reflexive="yourself"),
    **_table(2, PLURAL, PERSON, reflexive="yourselves"),
    **_table(
        2,
        SINGULAR,
        PERSON,
        subject="thou",
        object="thee",
        possessive="thy thine",
        reflexive="thyself",
    ),
    **_table(
        3,
        SINGULAR,
        MALE,
        subject="he",
        object="him",
        possessive="his",
        reflexive="himself",
    ),
    **_table(3, SINGULAR, FEMALE, subject="she", several="her", reflexive="herself"),
    **_table(3, SINGULAR, NEUTER, several="it", possessive="its", reflexive="itself"),
    **_table(
        3,
        PLURAL,
        ANY_GENDER,
        subject="they",
        object="them 'em",
        possessive="their",
        reflexive="themselves",
    ),
}
"""By the lower-cased word. Forms that stand alone ("mine", "yours", "theirs") name
another thing than their owner and are no mentions of him."""
