"""Tells facts in short texts, and keeps where each entity is mentioned."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from keras_cgru.data.wikihop.simulated_names import Kind
from keras_cgru.data.wikihop.simulated_world import Entity, Fact

# {S} and {s} are the subject, {its} its possessive, {O} the object, {year} any year.
_FACTS = {
    "workplace": (
        "{S} joined {O} in {year}.",
        "{S} worked for {O}.",
        "In {year} {s} went to work for {O}.",
    ),
    "seat": (
        "{S} has {its} office in {O}.",
        "{S} moved to {O} in {year}.",
        "Since {year} {s} has been run from {O}.",
    ),
    "birthplace": (
        "{S} was born in {O}.",
        "{S} came from {O}.",
        "In {year} {s} was born in {O}.",
    ),
    "country": (
        "{S} belongs to {O}.",
        "{S} is a part of {O}.",
        "Since {year} {s} has belonged to {O}.",
    ),
    "river": (
        "{S} lies on the {O}.",
        "{S} was built beside the {O}.",
        "Since {year} {s} has had a port on the {O}.",
    ),
    "author": (
        "{S} was written by {O}.",
        "{S} is the work of {O}.",
        "In {year} {s} was written by {O}.",
    ),
    "founder": (
        "{S} was founded by {O}.",
        "{S} owes {its} beginning to {O}.",
        "In {year} {s} was founded by {O}.",
    ),
}
_TWO = (
    "A letter of {year} names {A} and {B}.",
    "The almanac praises {A} and {B}.",
    "Few have heard of {A} or {B}.",
    "There was talk of {A} and {B}.",
)
_ONE = (
    "A letter of {year} names {A}.",
    "The almanac praises {A}.",
    "Few have heard of {A}.",
)
_ASIDES = (
    "There was also talk of {E}.",
    "Another page is about {E}.",
    "Few have heard of {E}.",
)
_NOUNS: dict[Kind, str] = {"firm": "firm", "town": "town", "book": "book"}
_PRONOUNS: dict[Kind, str] = {"woman": "she", "man": "he"}
_SLOT = re.compile(r"\{(\w+)\}")
_FIRST_YEAR, _LAST_YEAR = 1800, 1950
_SHARE_SHORT, _SHARE_ASIDES = 0.5, 0.3


@dataclass
class Support:
    """A text that grows, sentence by sentence.

    Args:
        random: Draws wordings.
        text: What stands there.
        mentions: Entities with the characters [start, end) of a mention.
    """

    random: np.random.Generator
    text: str = ""
    mentions: list[tuple[Entity, int, int]] = field(default_factory=list)

    @classmethod
    def about(
        cls,
        facts: Sequence[Sequence[Fact]],
        others: Sequence[Entity],
        random: np.random.Generator,
    ) -> Support:
        """Tells what is known of one or two entities.

        The first sentence names both; then each fact stands for itself, and its subject
        is a pronoun, a noun or a surname.

        Args:
            facts: The facts of one subject each.
            others: Entities of which one may be named in passing.
            random: Draws.
        """
        support = cls(random)
        subjects = [each[0].subject for each in facts]
        support.introduce(subjects)
        told = [fact for each in facts for fact in each]
        told = [told[number] for number in random.permutation(len(told))]
        # "She was born in Hallau. The town ..." would be understood of Hallau, so the
        # other town's facts come before.
        kinds = {subject.kind for subject in subjects}
        for fact in sorted(told, key=lambda fact: fact.object.kind in kinds):
            support.tell(fact)
        if random.random() < _SHARE_ASIDES:
            support.add(_ASIDES, {"E": others[int(random.integers(len(others)))]})
        return support

    def introduce(self, subjects: Sequence[Entity]) -> None:
        if len(subjects) == 1:
            self.add(_ONE, {"A": subjects[0]})
        else:
            self.add(_TWO, {"A": subjects[0], "B": subjects[1]})

    def tell(self, fact: Fact) -> None:
        form = self._subject(fact.subject)
        short = fact.object.short and self.random.random() < _SHARE_SHORT
        name = fact.object.short if short else fact.object.name
        self.add(
            _FACTS[fact.relation],
            {"S": fact.subject, "s": fact.subject, "its": fact.subject}
            | {"O": fact.object},
            {"S": form[:1].upper() + form[1:], "s": form, "its": "its", "O": name},
        )

    def add(
        self,
        templates: Sequence[str],
        entities: dict[str, Entity],
        forms: dict[str, str] | None = None,
    ) -> None:
        """Adds a sentence whose slots are filled; names stand where no form is."""
        template = templates[int(self.random.integers(len(templates)))]
        text = f"{self.text} " if self.text else ""
        done = 0
        for slot in _SLOT.finditer(template):
            text += template[done : slot.start()]
            done = slot.end()
            if slot[1] == "year":
                text += str(self.random.integers(_FIRST_YEAR, _LAST_YEAR))
                continue
            entity = entities[slot[1]]
            form = (forms or {}).get(slot[1], entity.name)
            self.mentions.append((entity, len(text), len(text) + len(form)))
            text += form
        self.text = text + template[done:]

    def _subject(self, entity: Entity) -> str:
        """A pronoun, a noun or a surname that nothing else here could be."""
        before = {each for each, _, _ in self.mentions} - {entity}
        if entity.kind in _PRONOUNS:
            # Another who is told of by the same pronoun, though as an object.
            rival = any(each.kind == entity.kind for each in before)
            if rival or self.random.random() < 0.25:
                return entity.short
            return _PRONOUNS[entity.kind]
        things = [each for each in before if each.kind not in _PRONOUNS]
        if not things and self.random.random() < 0.5:
            return "it"
        return f"the {_NOUNS[entity.kind]}"
