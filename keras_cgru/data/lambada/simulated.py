"""Stories with known coreference, for use where no corpus is at hand."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from keras_cgru.data.example import Example
from keras_cgru.data.lambada.passages import candidate_words
from keras_cgru.data.lambada.story_text import StoryTeller, Token
from keras_cgru.data.story_world import Event, StoryWorld

# Kinds of events; one that stands here more often is drawn more often.
_KINDS = (
    *("move", "take", "give") * 6,
    *("drop", "meet") * 2,
    *("think", "none"),
)
_MIN_SENTENCES, _MAX_SENTENCES = 5, 9


class _Question(NamedTuple):
    kind: str
    entity: str
    answer: str


def simulate_stories(
    num_stories: int, seed: int, split: str = "train"
) -> list[Example]:
    """Makes short stories whose last word follows from who did what.

    Two to four people take, drop and pass on things and move between places, told in
    five to nine sentences with pronouns and with sentences that change nothing. The
    last sentence asks, as LAMBADA does, for its last word: who holds a thing, what
    somebody carries, where a person or a thing is. Among the words of its sort in the
    document the answer is the last one, or the most frequent one, no more often than
    a fair draw would be.

    Every person, thing and place is a cluster; it holds the nouns and names, without
    articles, and the pronouns that stand for them.

    Args:
        num_stories: How many.
        seed: Together with `split` it fixes the stories.
        split: First part of the ids: "train" gives "simulated-train-00000", ...

    Returns:
        The examples. `metadata` has `simulated: True`, the `question` (kind and
        entity) and the `events` in order, each a list with the fields of `Event`.

    Raises:
        ValueError: `num_stories` or `seed` is negative.
    """
    if min(num_stories, seed) < 0:
        raise ValueError(
            "`num_stories` and `seed` must be at least 0. Received: "
            f"num_stories={num_stories}, seed={seed}"
        )
    random = np.random.default_rng((seed, zlib.crc32(split.encode("utf-8"))))
    return [
        _simulate_story(f"simulated-{split}-{index:05d}", random)
        for index in range(num_stories)
    ]


def _simulate_story(id: str, random: np.random.Generator) -> Example:
    while True:
        world, teller = StoryWorld.draw(random), StoryTeller(random)
        events, document = _tell_story(world, teller, random)
        question = _choose_question(world, document, random)
        if question is not None:
            query = teller.ask(question.kind, question.entity)
            return _to_example(id, document, query, question, events)


def _tell_story(
    world: StoryWorld, teller: StoryTeller, random: np.random.Generator
) -> tuple[list[Event], list[Token]]:
    events: list[Event] = []
    document: list[Token] = []
    # One sentence of the story is the question.
    for _ in range(random.integers(_MIN_SENTENCES, _MAX_SENTENCES + 1) - 1):
        possible: list[Event] = []
        while not possible:
            possible = world.possible_events(_KINDS[random.integers(len(_KINDS))])
        event = possible[random.integers(len(possible))]
        world.apply(event)
        events.append(event)
        document += teller.tell(event)
    return events, document


def _choose_question(
    world: StoryWorld, document: Sequence[Token], random: np.random.Generator
) -> _Question | None:
    """A question whose answer no shortcut gives too often, or None.

    The draw whether the answer is to be the last or the most frequent one of its sort
    comes before the search, so that both happen as often as by chance.
    """
    words = [token.word for token in document if token.word == token.entity]
    draw_last, draw_frequent, draw_rivals = random.random(3)
    # A choice of two is easy to guess: two thirds of the stories have three or more.
    min_rivals = 2 if draw_rivals < 1 / 3 else 3
    questions = _possible_questions(world)
    for index in random.permutation(len(questions)):
        question = questions[index]
        rivals = _rivals(world, question.answer)
        counts = Counter(word for word in words if word in rivals)
        if question.answer not in counts or len(counts) < min_rivals:
            continue
        last = next(word for word in reversed(words) if word in rivals)
        most = {word for word in counts if counts[word] == max(counts.values())}
        wants_last = draw_last < 1 / len(counts)
        wants_frequent = draw_frequent < len(most) / len(counts)
        if (last == question.answer, question.answer in most) == (
            wants_last,
            wants_frequent,
        ):
            return question
    return None


def _possible_questions(world: StoryWorld) -> list[_Question]:
    loads = Counter(world.holder_of.values())
    questions = []
    for thing, holder in world.holder_of.items():
        questions.append(_Question("holder", thing, holder))
        if loads[holder] == 1:
            questions.append(_Question("carried", holder, thing))
    for entity, place in world.place_of.items():
        kind = "person place" if entity in world.people else "thing place"
        questions.append(_Question(kind, entity, place))
    return questions


def _rivals(world: StoryWorld, answer: str) -> Sequence[str]:
    groups = (world.people, world.things, world.places)
    return next(group for group in groups if answer in group)


def _to_example(
    id: str,
    document: Sequence[Token],
    query: Sequence[Token],
    question: _Question,
    events: Sequence[Event],
) -> Example:
    entities = dict.fromkeys(
        token.entity for token in (*document, *query) if token.entity
    )
    clusters = {"": 0} | {entity: n for n, entity in enumerate(entities, start=1)}
    words = tuple(token.word for token in document)
    return Example(
        id=id,
        document=words,
        query=tuple(token.word for token in query),
        candidates=candidate_words(words),
        answer=(question.answer,),
        document_clusters=tuple(clusters[token.entity] for token in document),
        query_clusters=tuple(clusters[token.entity] for token in query),
        metadata={
            "simulated": True,
            "question": [question.kind, question.entity],
            "events": [list(event) for event in events],
        },
    )
