"""People who carry things between rooms, for simulated bAbI stories."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from keras_cgru.data.babi.writer import BabiWriter
from keras_cgru.data.story_world import MEN, OBJECTS, PLACES, WOMEN

_PEOPLE = (*WOMEN[:2], *MEN[:2])
_ROOMS, _THINGS = PLACES[:6], OBJECTS[:3]
_VERBS = {
    "move": ("walked to", "hurried to", "strolled to", "ran into"),
    "take": ("took", "lifted", "fetched", "carried off"),
    "drop": ("put down", "set down", "parted with"),
    "give": ("lent", "brought", "offered", "threw"),
}
_NUMBERS = ("none", "one", "two", "three")


@dataclass
class BabiErrands:
    """A story's state: who is where, who holds what, and which lines said so.

    Args:
        random: Draws everything.
        writer: Takes the sentences and questions.
    """

    random: np.random.Generator
    writer: BabiWriter
    # Person -> room and line; thing -> holder and line, the latest thing last;
    # thing that was put down -> room and the lines that say it.
    _room: dict[str, tuple[str, int]] = field(default_factory=dict)
    _holder: dict[str, tuple[str, int]] = field(default_factory=dict)
    _lying: dict[str, tuple[str, list[int]]] = field(default_factory=dict)
    # Giver, thing, receiver and line.
    _gift: tuple[str, str, str, int] | None = None

    def happen(self, *kinds: str) -> None:
        """Lets one event of these kinds happen; a kind named twice is likelier."""
        while True:
            kind = self._pick(kinds)
            possible = getattr(self, f"_{kind}s")()
            if possible:
                event = possible[self.random.integers(len(possible))]
                getattr(self, f"_{kind}")(self._pick(_VERBS[kind]), *event)
                return

    def ask_where_person(self) -> None:
        person = self._pick(list(self._room))
        room, line = self._room[person]
        self.writer.ask(f"Where is {person.title()}?", room, [line])

    def ask_whether_there(self) -> None:
        person = self._pick(list(self._room))
        room, line = self._room[person]
        others = [other for other in _ROOMS if other != room]
        asked = room if self.random.random() < 0.5 else self._pick(others)
        answer = "yes" if asked == room else "no"
        self.writer.ask(f"Is {person.title()} in the {asked}?", answer, [line])

    def can_ask_where_thing(self) -> bool:
        return bool(self._holder or self._lying)

    def ask_where_thing(self) -> None:
        thing = self._pick([*self._holder, *self._lying])
        if thing in self._lying:
            room, lines = self._lying[thing]
        else:
            holder, taken = self._holder[thing]
            room, moved = self._room[holder]
            lines = [taken, moved]
        self.writer.ask(f"Where is the {thing}?", room, lines)

    def ask_what_carried(self) -> None:
        person, things, lines = self._load()
        answer = ",".join(things) or "nothing"
        self.writer.ask(f"What does {person.title()} carry?", answer, lines)

    def ask_how_many(self) -> None:
        person, things, lines = self._load()
        question = f"How many things does {person.title()} carry?"
        self.writer.ask(question, _NUMBERS[len(things)], lines)

    def can_ask_about_gift(self) -> bool:
        return self._gift is not None

    def ask_about_gift(self) -> None:
        assert self._gift is not None
        giver, thing, receiver, line = self._gift
        one, other = giver.title(), receiver.title()
        questions = (
            (f"What did {one} give to {other}?", thing),
            (f"Who gave the {thing} to {other}?", giver.title()),
            (f"Who did {one} give the {thing} to?", receiver.title()),
            (f"Who got the {thing} from {one}?", receiver.title()),
        )
        question, answer = questions[self.random.integers(len(questions))]
        self.writer.ask(question, answer, [line])

    def _load(self) -> tuple[str, list[str], list[int]]:
        """A person, the things that the person holds, and the lines that say so."""
        person = self._pick(list(self._room))
        held = {t: n for t, (holder, n) in self._holder.items() if holder == person}
        return person, list(held), list(held.values())

    def _moves(self) -> list[tuple[str, str]]:
        return [
            (person, room)
            for person in _PEOPLE
            for room in _ROOMS
            if self._room.get(person, ("", 0))[0] != room
        ]

    def _move(self, verb: str, person: str, room: str) -> None:
        line = self.writer.tell(f"{person.title()} {verb} the {room}.")
        self._room[person] = (room, line)

    def _takes(self) -> list[tuple[str, str]]:
        return [
            (person, thing)
            for person, (room, _) in self._room.items()
            for thing in _THINGS
            if thing not in self._holder
            and self._lying.get(thing, (room, []))[0] == room
        ]

    def _take(self, verb: str, person: str, thing: str) -> None:
        line = self.writer.tell(f"{person.title()} {verb} the {thing}.")
        self._lying.pop(thing, None)
        self._holder[thing] = (person, line)

    def _drops(self) -> list[tuple[str, str]]:
        return [(person, thing) for thing, (person, _) in self._holder.items()]

    def _drop(self, verb: str, person: str, thing: str) -> None:
        line = self.writer.tell(f"{person.title()} {verb} the {thing}.")
        room, moved = self._room[person]
        del self._holder[thing]
        self._lying[thing] = (room, [line, moved])

    def _gives(self) -> list[tuple[str, str, str]]:
        return [
            (person, thing, other)
            for thing, (person, _) in self._holder.items()
            for other, (room, _) in self._room.items()
            if other != person and room == self._room[person][0]
        ]

    def _give(self, verb: str, person: str, thing: str, other: str) -> None:
        line = self.writer.tell(
            f"{person.title()} {verb} the {thing} to {other.title()}."
        )
        # What came last into somebody's hands stands last.
        del self._holder[thing]
        self._holder[thing] = (other, line)
        self._gift = (person, thing, other, line)

    def _pick(self, options: tuple[str, ...] | list[str]) -> str:
        return options[self.random.integers(len(options))]
