"""Who and what there is in a simulated record, and what is asked of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from keras_cgru.data.wikihop.simulated_names import NAMES, SURNAMES, Kind

NUM_CHAINS = 5
# Every scheme has two questions of the fewest hops.
FEWEST_HOPS, MOST_HOPS = 2, 3
# Further candidates, which no fact is about.
_MOST_EXTRAS = 4


class Entity(NamedTuple):
    """Something that has a name.

    Args:
        kind: What it is.
        name: Its full name.
        short: What it is called for short; "" where it is not.
        chain: The chain of facts that it is part of; -1 where of none.
    """

    kind: Kind
    name: str
    short: str
    chain: int


class Fact(NamedTuple):
    """What a text says of an entity: `relation` leads from it to another."""

    relation: str
    subject: Entity
    object: Entity


class Question(NamedTuple):
    """What is asked: a relation that takes several facts one behind the other."""

    relation: str
    hops: tuple[str, ...]


class _Scheme(NamedTuple):
    """Facts of every chain, as relation, level of the subject and of the object."""

    levels: tuple[str, ...]
    facts: tuple[tuple[str, int, int], ...]
    questions: tuple[Question, ...]


_SCHEMES = (
    _Scheme(
        ("person", "firm", "town", "country"),
        (("workplace", 0, 1), ("seat", 1, 2), ("country", 2, 3)),
        (
            Question("country_of_workplace", ("workplace", "seat", "country")),
            Question("town_of_workplace", ("workplace", "seat")),
            Question("country_of_seat", ("seat", "country")),
        ),
    ),
    _Scheme(
        ("person", "town", "country", "river"),
        (("birthplace", 0, 1), ("country", 1, 2), ("river", 1, 3)),
        (
            Question("country_of_birth", ("birthplace", "country")),
            Question("river_of_birthplace", ("birthplace", "river")),
        ),
    ),
    _Scheme(
        ("book", "person", "town", "country"),
        (("author", 0, 1), ("birthplace", 1, 2), ("country", 2, 3)),
        (
            Question("birthplace_of_author", ("author", "birthplace")),
            Question("country_of_author", ("author", "birthplace", "country")),
            Question("country_of_birth", ("birthplace", "country")),
        ),
    ),
    _Scheme(
        ("book", "person", "firm", "town"),
        (("author", 0, 1), ("workplace", 1, 2), ("seat", 2, 3)),
        (
            Question("workplace_of_author", ("author", "workplace")),
            Question("town_of_author", ("author", "workplace", "seat")),
            Question("town_of_workplace", ("workplace", "seat")),
        ),
    ),
    _Scheme(
        ("firm", "person", "town", "river"),
        (("founder", 0, 1), ("birthplace", 1, 2), ("river", 2, 3)),
        (
            Question("birthplace_of_founder", ("founder", "birthplace")),
            Question("river_of_founder", ("founder", "birthplace", "river")),
            Question("river_of_birthplace", ("birthplace", "river")),
        ),
    ),
)


@dataclass(frozen=True)
class World:
    """Entities in chains of facts, all chains alike, so that no name stands out.

    Args:
        facts: All facts.
        extras: Entities that no fact is about.
        questions: Two questions, which differ.
    """

    facts: tuple[Fact, ...]
    extras: tuple[Entity, ...]
    questions: tuple[Question, Question]

    @classmethod
    def draw(cls, random: np.random.Generator, max_hops: int = MOST_HOPS) -> World:
        """Draws a world of five chains.

        Args:
            random: Draws.
            max_hops: Questions take at most so many facts, 2 or 3.
        """
        scheme = _SCHEMES[random.integers(len(_SCHEMES))]
        levels = [_draw(kind, NUM_CHAINS, random) for kind in scheme.levels]
        facts = [
            Fact(relation, levels[one][chain], levels[other][chain])
            for relation, one, other in scheme.facts
            for chain in range(NUM_CHAINS)
        ]
        easy = [each for each in scheme.questions if len(each.hops) <= max_hops]
        first, second = random.choice(len(easy), 2, replace=False)
        questions = easy[first], easy[second]
        taken = {entity.name for level in levels for entity in level}
        extras: list[Entity] = []
        for kind in dict.fromkeys(_answers(scheme, each) for each in questions):
            free = [name for name in NAMES[kind] if name not in taken]
            number = random.integers(_MOST_EXTRAS + 1)
            for name in random.choice(free, number, replace=False):
                extras.append(Entity(kind, str(name), "", -1))
        return cls(tuple(facts), tuple(extras), questions)

    def heads(self, question: Question) -> list[Entity]:
        """The entities that a question can be asked of, by chain."""
        return [f.subject for f in self.facts if f.relation == question.hops[0]]

    def answers(self, question: Question) -> list[Entity]:
        """What the answer to a question can be, by chain."""
        return [f.object for f in self.facts if f.relation == question.hops[-1]]


def _answers(scheme: _Scheme, question: Question) -> Kind:
    last = next(fact for fact in scheme.facts if fact[0] == question.hops[-1])
    return scheme.levels[last[2]]  # type: ignore[return-value]


def _draw(kind: str, number: int, random: np.random.Generator) -> list[Entity]:
    if kind == "person":
        surnames = random.choice(SURNAMES, number, replace=False)
        return [_person(str(s), n, random) for n, s in enumerate(surnames)]
    names = random.choice(NAMES[kind], number, replace=False)  # type: ignore[index]
    return [
        Entity(kind, str(name), str(name).split()[0] if kind == "firm" else "", chain)  # type: ignore[arg-type]
        for chain, name in enumerate(names)
    ]


def _person(surname: str, chain: int, random: np.random.Generator) -> Entity:
    kind: Kind = "woman" if random.random() < 0.5 else "man"
    first = NAMES[kind][random.integers(len(NAMES[kind]))]
    return Entity(kind, f"{first} {surname}", surname, chain)
