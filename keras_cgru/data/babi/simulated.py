"""Stories in bAbI's format, for use where the official files are not at hand.

Names, places, things and sentences are our own; the tasks ask for the same kinds of
reasoning as the official ones of the same number, and are easier or harder than those.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import numpy as np

from keras_cgru.data.babi.errands import BabiErrands
from keras_cgru.data.babi.question import BabiQuestion
from keras_cgru.data.babi.questions import parse_babi
from keras_cgru.data.babi.splits import BabiSplits, split_babi
from keras_cgru.data.babi.writer import BabiWriter
from keras_cgru.data.data_source import DataSource
from keras_cgru.data.official import SIMULATED
from keras_cgru.data.story_world import MEN, PLACES, WOMEN

_QUESTIONS_A_STORY = 5
# As many as an official task has.
_NUM_QUESTIONS = 1000

_NAMES = (*WOMEN[5:7], *MEN[5:7])
_KINDS = {"goose": "geese", "calf": "calves", "pony": "ponies", "hen": "hens"}
_BIRDS = ("heron", "finch", "owl")
_COLOURS = ("brown", "black", "blue")
_COMPASS = {"n": ("north", 0, 1), "e": ("east", 1, 0)}
_COMPASS |= {"s": ("south", 0, -1), "w": ("west", -1, 0)}

_Story = Callable[[np.random.Generator, BabiWriter], None]


def simulate_babi(task: int, num_questions: int, seed: int) -> str:
    """Makes up stories and questions of one task.

    Args:
        task: One of `SIMULATED_TASKS`.
        num_questions: At least so many questions; the last story is told to its end.
        seed: Fixes the stories.

    Returns:
        The text of a file in bAbI's format. Each story follows from a small world
        model, and the supports are the sentences that settle the answer.

    Raises:
        ValueError: `task` is no such number, `num_questions` below 1 or `seed`
            negative.
    """
    if task not in _STORIES:
        raise ValueError(
            f"`task` must be one of {', '.join(map(str, SIMULATED_TASKS))} to be "
            f"simulated. Received: task={task}"
        )
    if num_questions < 1 or seed < 0:
        raise ValueError(
            "`num_questions` must be at least 1 and `seed` at least 0. Received: "
            f"num_questions={num_questions}, seed={seed}"
        )
    random = np.random.default_rng((seed, task))
    writer = BabiWriter()
    while writer.num_questions < num_questions:
        writer.begin()
        _STORIES[task](random, writer)
    return writer.text()


def simulated_babi_splits(
    task: int,
    train: int = _NUM_QUESTIONS,
    test: int = _NUM_QUESTIONS,
    seed: int = 0,
) -> BabiSplits:
    """The splits of a simulated task.

    Args:
        task: One of `SIMULATED_TASKS`.
        train: At least so many training questions, of which a tenth of the stories is
            held out for validation.
        test: At least so many test questions.
        seed: Fixes the stories.

    Returns:
        Splits that say of themselves that they are simulated.

    Raises:
        ValueError: See `simulate_babi`; or the training questions make one story.
    """
    questions = [
        _parse(simulate_babi(task, number, 2 * seed + odd), task, split)
        for odd, (split, number) in enumerate((("train", train), ("test", test)))
    ]
    source = DataSource(SIMULATED, name="babi", title="bAbI")
    return dataclasses.replace(split_babi(*questions), source=source)


def _parse(text: str, task: int, split: str) -> list[BabiQuestion]:
    lines = enumerate(text.splitlines(), start=1)
    return parse_babi(lines, "simulated stories", task, f"simulated-{split}")


def _where_person(random: np.random.Generator, writer: BabiWriter) -> None:
    errands = BabiErrands(random, writer)
    for _ in range(_QUESTIONS_A_STORY):
        errands.happen("move")
        errands.happen("move")
        errands.ask_where_person()


def _whether_there(random: np.random.Generator, writer: BabiWriter) -> None:
    errands = BabiErrands(random, writer)
    for _ in range(_QUESTIONS_A_STORY):
        errands.happen("move")
        errands.happen("move", "move", "take")
        errands.ask_whether_there()


def _where_thing(random: np.random.Generator, writer: BabiWriter) -> None:
    errands = BabiErrands(random, writer)
    for _ in range(_QUESTIONS_A_STORY):
        for _ in range(random.integers(2, 5)):
            errands.happen("move", "move", "take", "drop")
        while not errands.can_ask_where_thing():
            errands.happen("move", "take")
        errands.ask_where_thing()


def _gifts(random: np.random.Generator, writer: BabiWriter) -> None:
    errands = BabiErrands(random, writer)
    for _ in range(_QUESTIONS_A_STORY):
        for _ in range(random.integers(2, 5)):
            errands.happen("move", "take", "give", "give")
        while not errands.can_ask_about_gift():
            errands.happen("move", "take", "give", "give")
        errands.ask_about_gift()


def _how_many(random: np.random.Generator, writer: BabiWriter) -> None:
    errands = BabiErrands(random, writer)
    for _ in range(_QUESTIONS_A_STORY):
        for _ in range(random.integers(2, 4)):
            errands.happen("move", "take", "take", "drop", "give")
        errands.ask_how_many()


def _what_carried(random: np.random.Generator, writer: BabiWriter) -> None:
    errands = BabiErrands(random, writer)
    for _ in range(_QUESTIONS_A_STORY):
        for _ in range(random.integers(2, 4)):
            errands.happen("move", "take", "take", "drop")
        errands.ask_what_carried()


def _deduction(random: np.random.Generator, writer: BabiWriter) -> None:
    """Kinds shun kinds; somebody is of a kind, and so shuns what the kind does."""
    kinds = list(_KINDS)
    shunned = {}
    for kind in kinds:
        others = [other for other in kinds if other != kind]
        shunned[kind] = others[random.integers(len(others))]
    kind_of = {name: kinds[random.integers(len(kinds))] for name in _NAMES}
    facts = [*kinds, *kind_of]
    lines = {}
    for fact in (facts[index] for index in random.permutation(len(facts))):
        if fact in kind_of:
            lines[fact] = writer.tell(f"{fact.title()} is a {kind_of[fact]}.")
        else:
            plural, other = _KINDS[fact], _KINDS[shunned[fact]]
            lines[fact] = writer.tell(f"{plural.title()} keep away from {other}.")
    for index in random.permutation(len(_NAMES)):
        name = _NAMES[index]
        kind = kind_of[name]
        supports = [lines[name], lines[kind]]
        question = f"What does {name.title()} keep away from?"
        writer.ask(question, shunned[kind], supports)


def _induction(random: np.random.Generator, writer: BabiWriter) -> None:
    """Birds of a kind are of one colour; the last one's colour follows from that."""
    colour_of = dict(zip(_BIRDS, random.permutation(_COLOURS), strict=True))
    kinds = [*_BIRDS, _BIRDS[random.integers(len(_BIRDS))]]
    birds = {_NAMES[i]: kinds[i] for i in random.permutation(len(_NAMES))}
    asked = list(birds)[-1]
    # The asked one's kind must have been seen in a colour.
    if birds[asked] not in [kind for name, kind in birds.items() if name != asked]:
        birds[list(birds)[0]] = birds[asked]
    lines: dict[tuple[str, str], int] = {}
    for name, kind in birds.items():
        article = "an" if kind[0] in "aeiou" else "a"
        lines[name, "kind"] = writer.tell(f"{name.title()} is {article} {kind}.")
        if name != asked:
            sentence = f"{name.title()} is {colour_of[kind]}."
            lines[name, "colour"] = writer.tell(sentence)
    like = next(name for name in birds if birds[name] == birds[asked])
    supports = [lines[asked, "kind"], lines[like, "kind"], lines[like, "colour"]]
    writer.ask(f"What colour is {asked.title()}?", colour_of[birds[asked]], supports)


def _path(random: np.random.Generator, writer: BabiWriter) -> None:
    """Five rooms side by side; the way between two that share a neighbour."""
    rooms = [PLACES[i] for i in random.permutation(len(PLACES[:6]))[:5]]
    at = {rooms[0]: (0, 0)}
    steps: list[tuple[str, str, str]] = []
    while len(at) < len(rooms):
        start = list(at)[random.integers(len(at))]
        letter = list(_COMPASS)[random.integers(len(_COMPASS))]
        _, east, north = _COMPASS[letter]
        place = (at[start][0] + east, at[start][1] + north)
        if place not in at.values():
            room = rooms[len(at)]
            at[room] = place
            steps.append((start, letter, room))
    ways: dict[tuple[str, str], tuple[str, int]] = {}
    for start, letter, room in (steps[i] for i in random.permutation(len(steps))):
        back = list(_COMPASS)[(list(_COMPASS).index(letter) + 2) % 4]
        sentences = (
            f"The {room} lies {_COMPASS[letter][0]} of the {start}.",
            f"The {start} lies {_COMPASS[back][0]} of the {room}.",
        )
        line = writer.tell(sentences[random.integers(2)])
        ways[start, room], ways[room, start] = (letter, line), (back, line)
    paths = [
        (one, by, to)
        for one, by in ways
        for from_, to in ways
        if by == from_ != one != to
    ]
    one, by, to = paths[random.integers(len(paths))]
    (first, line), (second, other) = ways[one, by], ways[by, to]
    question = f"How do you walk from the {one} to the {to}?"
    writer.ask(question, f"{first},{second}", [line, other])


_STORIES: dict[int, _Story] = {
    1: _where_person,
    2: _where_thing,
    5: _gifts,
    6: _whether_there,
    7: _how_many,
    8: _what_carried,
    15: _deduction,
    16: _induction,
    19: _path,
}
SIMULATED_TASKS: tuple[int, ...] = tuple(_STORIES)
