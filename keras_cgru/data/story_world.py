"""A small world in which people carry objects between places."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import permutations, product
from typing import NamedTuple

import numpy as np

MEN = tuple("john peter david simon oliver henry martin walter arthur edward".split())
WOMEN = tuple("mary anna helen clara alice emma laura sophie julia martha".split())
OBJECTS = tuple(
    """
    lamp book key letter coin apple knife ring map cup basket candle violin rope
    mirror hat
    """.split()
)
PLACES = tuple(
    """
    kitchen garden attic cellar library stable barn church bedroom hallway workshop
    market
    """.split()
)


class Event(NamedTuple):
    """Something that happens; `kind` says which of the fields are set.

    * ``move``: `person` goes to `place`.
    * ``take``: `person` takes `thing`.
    * ``drop``: `person` leaves `thing` in `place`, where the person is.
    * ``give``: `person` gives `thing` to `other`.
    * ``meet``: `person` and `other` have to do with each other; nothing changes.
    * ``think``: `person` thinks of `thing`; nothing changes.
    * ``none``: something that concerns nobody.
    """

    kind: str
    person: str = ""
    thing: str = ""
    other: str = ""
    place: str = ""


@dataclass
class StoryWorld:
    """Who and what there is, where it is and who holds it.

    A place that no event has told yet is unknown, and an event may settle it.

    Args:
        people: Names, from `MEN` and `WOMEN`.
        things: Words from `OBJECTS`.
        places: Words from `PLACES`.
    """

    people: Sequence[str]
    things: Sequence[str]
    places: Sequence[str]
    holder_of: dict[str, str] = field(default_factory=dict)
    place_of: dict[str, str] = field(default_factory=dict)

    @classmethod
    def draw(cls, random: np.random.Generator) -> StoryWorld:
        """Draws two to four people, two or three things, three or four places."""
        people = [
            *random.choice(MEN, random.integers(1, 3), replace=False),
            *random.choice(WOMEN, random.integers(1, 3), replace=False),
        ]
        things = random.choice(OBJECTS, random.integers(2, 4), replace=False)
        places = random.choice(PLACES, random.integers(3, 5), replace=False)
        return cls(
            list(map(str, people)), list(map(str, things)), list(map(str, places))
        )

    def possible_events(self, kind: str) -> list[Event]:
        """All events of a kind that may happen now."""
        carried = self.holder_of.items()
        if kind == "move":
            pairs = product(self.people, self.places)
            return [
                Event(kind, person, place=place)
                for person, place in pairs
                if self.place_of.get(person) != place
            ]
        if kind == "take":
            free = [thing for thing in self.things if thing not in self.holder_of]
            return [
                Event(kind, person, thing)
                for person, thing in product(self.people, free)
                if self._may_meet(person, thing)
            ]
        if kind == "drop":
            return [
                Event(kind, person, thing, place=self.place_of[person])
                for thing, person in carried
                if person in self.place_of
            ]
        if kind == "give":
            return [
                Event(kind, person, thing, other)
                for (thing, person), other in product(carried, self.people)
                if other != person and self._may_meet(person, other)
            ]
        if kind == "meet":
            return [
                Event(kind, person, other=other)
                for person, other in permutations(self.people, 2)
            ]
        if kind == "think":
            return [Event(kind, *pair) for pair in product(self.people, self.things)]
        return [Event("none")]

    def apply(self, event: Event) -> None:
        """Lets an event happen."""
        if event.kind == "move":
            self.place_of[event.person] = event.place
            for thing, holder in self.holder_of.items():
                if holder == event.person:
                    self.place_of[thing] = event.place
        elif event.kind == "take":
            self._meet(event.person, event.thing)
            self.holder_of[event.thing] = event.person
        elif event.kind == "drop":
            del self.holder_of[event.thing]
            self.place_of[event.thing] = event.place
        elif event.kind == "give":
            self._meet(event.person, event.other)
            self.holder_of[event.thing] = event.other
            self._meet(event.other, event.thing)

    def _may_meet(self, one: str, other: str) -> bool:
        places = {self.place_of[each] for each in (one, other) if each in self.place_of}
        return len(places) < 2

    def _meet(self, one: str, other: str) -> None:
        """Settles the unknown place of either, and of all that they carry."""
        place = self.place_of.get(one) or self.place_of.get(other)
        if place is None:
            return
        for each in (one, other):
            self.place_of[each] = place
            for thing, holder in self.holder_of.items():
                if holder == each:
                    self.place_of[thing] = place
