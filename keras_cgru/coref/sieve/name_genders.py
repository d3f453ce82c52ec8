"""The gender of names that no list knows, from the pronouns near them."""

from __future__ import annotations

from keras_cgru.coref.sieve.mention import Mention
from keras_cgru.coref.sieve.pronouns import (
    ANY_GENDER,
    FEMALE,
    MALE,
    NEUTER,
    PERSON,
)
from keras_cgru.coref.sieve.state import State

# What one is in is a place, as a rule; one looks at people.
_BEFORE_PLACE = frozenset("in into near through across outside".split())


def guess_name_genders(state: State) -> None:
    """Narrows the gender of named entities of which the words say nothing.

    A name that mostly stands behind "in" and its like is a place. Of another,
    the pronouns that follow it, before anybody else is named, vote.
    """
    votes = _votes(state)
    genders = state.entities.genders
    for root, balance in _places(state).items():
        if balance > 0:
            genders[root] = NEUTER
    for mention in state.mentions:
        # "Alexa", "Delca": hardly ever a man. Surnames tell nothing.
        if mention.kind == "name" and state.text.words[mention.start].endswith("a"):
            root = state.entities.root(mention.index)
            if genders[root] == ANY_GENDER and root not in votes:
                genders[root] = FEMALE | NEUTER
    for root, (male, female) in votes.items():
        narrowed = genders[root] & (MALE if male > female else FEMALE)
        if male != female and narrowed:
            genders[root] = narrowed


def _places(state: State) -> dict[int, int]:
    """Per entity: how much oftener its names stand as a place than otherwise."""
    entities, words = state.entities, state.text.words
    balance: dict[int, int] = {}
    for mention in state.mentions:
        if mention.kind != "name":
            continue
        root = entities.root(mention.index)
        if mention.gender == entities.genders[root] == ANY_GENDER:
            before = words[mention.start - 1] if mention.start else "."
            step = 1 if before in _BEFORE_PLACE else -1
            balance[root] = balance.get(root, 0) + step
    return balance


def _votes(state: State) -> dict[int, list[int]]:
    """Per entity: how many male and how many female pronouns follow its names."""
    entities = state.entities
    votes: dict[int, list[int]] = {}
    previous: Mention | None = None
    for mention in state.mentions:
        if mention.kind == "name":
            previous = mention
        elif mention.kind == "noun" and mention.gender & PERSON:
            previous = None
        elif mention.kind == "pronoun" and mention.person == 3 and previous:
            if (
                mention.gender in (MALE, FEMALE)
                and mention.quote == previous.quote
                and mention.sentence - previous.sentence <= 1
            ):
                root = entities.root(previous.index)
                if entities.genders[root] & PERSON == PERSON:
                    vote = votes.setdefault(root, [0, 0])
                    vote[mention.gender == FEMALE] += 1
            previous = None
    return votes
