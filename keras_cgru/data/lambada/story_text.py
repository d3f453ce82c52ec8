"""Tells the events of a story in lower-case, tokenised sentences."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from keras_cgru.data.story_world import MEN, OBJECTS, WOMEN, Event

# {person} and {other} may become a pronoun, {Person} and {Other} stay a name;
# {thing} may become "it", {Thing} stays "the lamp"; {his}, {him}, {it} are always
# pronouns.
_SENTENCES: dict[str, tuple[str, ...]] = {
    "move": (
        "{person} walked to {place}",
        "{person} went into {place}",
        "a little later {person} came to {place}",
        "{person} hurried over to {place} without a word",
        "then {person} made {his} way to {place}",
        "when the bell rang , {person} ran to {place}",
    ),
    "take": (
        "{person} picked up {thing}",
        "{person} took {thing} with both hands",
        "{thing} caught {his} eye , and {Person} took {it}",
        "{person} reached for {thing} and kept {it}",
        "carefully {person} lifted {thing}",
        "{person} put {thing} into {his} bag",
    ),
    "drop": (
        "{person} left {thing} in {place}",
        "{person} put {thing} down in {place}",
        "{person} set {thing} on the floor and sat down beside {it}",
        "{thing} slipped out of {his} hands , and {Person} let {it} lie",
        "tired of {thing} , {person} laid {it} aside",
    ),
    "give": (
        "{person} gave {thing} to {other}",
        "{person} handed {other} {Thing}",
        "{Other} took {thing} from {person_object}",
        "{thing} was passed on to {Other} by {Person}",
        "{Other} asked for {thing} , and {person} let {other} have {it}",
        "{person} got tired and made {other} carry {thing}",
    ),
    "meet": (
        "{person} smiled at {other}",
        "{Other} had always liked {Person}",
        "{person} told {other} an old story",
        "{person} did not trust {other}",
        "{person} asked {other} about the weather",
    ),
    "think": (
        "{person} had never cared for {thing}",
        "{person} wondered what {thing} was worth",
        "{person} remembered who had bought {thing}",
        "{thing} had once belonged to {his} mother , as {Person} knew",
    ),
    "none": (
        "it was raining outside",
        "the wind had grown stronger",
        "somewhere a dog was barking",
        "nobody said anything for a while",
        "it was getting late",
    ),
}

# The last sentences; the answer is the word that follows.
_QUESTIONS: dict[str, tuple[str, ...]] = {
    "holder": (
        "by evening {Thing} was in the hands of",
        "whoever wanted {Thing} now had to ask",
        "it was plain to see that {Thing} was now carried by",
        "when the clock struck ten , the one who held {Thing} was",
    ),
    "carried": (
        "by evening {Person} was still carrying the",
        "when the lights went out , {Person} was holding the",
        "the only thing that {Person} had with {him} was the",
        "in the end {Person} went to sleep with one hand on the",
    ),
    "person place": (
        "by evening {Person} was in the",
        "whoever looked for {Person} now had to go to the",
        "when the clock struck ten , {Person} was still in the",
    ),
    "thing place": (
        "by evening {Thing} was in the",
        "whoever looked for {Thing} now had to go to the",
        "when the clock struck ten , {Thing} was still in the",
    ),
}


class Token(NamedTuple):
    """A word and the entity that it names or stands for; "" for none."""

    word: str
    entity: str = ""


class StoryTeller:
    """Turns events into sentences and decides where a pronoun is clear.

    A pronoun is used only for what the sentence before mentions, and only where that
    mentions no other person of the gender, or no other thing.

    Args:
        random: Draws wordings and pronouns.
    """

    def __init__(self, random: np.random.Generator) -> None:
        self._random = random
        self._before: set[str] = set()

    def tell(self, event: Event) -> list[Token]:
        """One sentence, with its full stop."""
        sentence = self._fill(self._draw(_SENTENCES[event.kind]), event)
        self._before = {token.entity for token in sentence if token.entity}
        return [*sentence, Token(".")]

    def ask(self, kind: str, entity: str) -> list[Token]:
        """The last sentence without its last word, the answer.

        Args:
            kind: "holder" or "thing place" of a thing, "carried" or "person place"
                of a person.
            entity: The thing or the person.
        """
        event = Event(kind, person=entity, thing=entity)
        return self._fill(self._draw(_QUESTIONS[kind]), event)

    def _draw(self, templates: tuple[str, ...]) -> str:
        return templates[self._random.integers(len(templates))]

    def _fill(self, template: str, event: Event) -> list[Token]:
        tokens: list[Token] = []
        for word in template.split():
            if word.startswith("{"):
                tokens += self._fill_slot(word[1:-1], event)
            else:
                tokens.append(Token(word))
        return tokens

    def _fill_slot(self, slot: str, event: Event) -> list[Token]:
        person = event.person
        if slot in ("his", "him"):
            return [Token(_pronoun(person, slot), person)]
        if slot == "it":
            return [Token("it", event.thing)]
        if slot in ("person", "person_object"):
            case = "he" if slot == "person" else "him"
            # "anna took it from her" would leave open whose hands it was in.
            others = () if slot == "person" else (event.other,)
            return [self._mention(person, case, others)]
        if slot == "other":
            return [self._mention(event.other, "him", (person,))]
        if (
            slot == "thing"
            and self._is_clear(event.thing)
            and self._random.random() < 0.5
        ):
            return [Token("it", event.thing)]
        name = getattr(event, slot.lower())
        if slot in ("Person", "Other"):
            return [Token(name, name)]
        return [Token("the"), Token(name, name)]

    def _mention(self, person: str, case: str, others: tuple[str, ...]) -> Token:
        """A person by name, or by a pronoun that fits none of the others."""
        clear = self._is_clear(person) and not any(_alike(person, o) for o in others)
        if clear and self._random.random() < 0.6:
            return Token(_pronoun(person, case), person)
        return Token(person, person)

    def _is_clear(self, entity: str) -> bool:
        alike = {other for other in self._before if _alike(entity, other)}
        return alike == {entity}


def _alike(one: str, other: str) -> bool:
    """Whether one pronoun serves both."""
    return any(one in group and other in group for group in (MEN, WOMEN, OBJECTS))


def _pronoun(person: str, case: str) -> str:
    if person in MEN:
        return case
    return "she" if case == "he" else "her"
