"""Records of the official form with known coreference, where no corpus is at hand."""

from __future__ import annotations

import zlib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import islice

import numpy as np

from keras_cgru.data.wikihop.record import WikiHopRecord
from keras_cgru.data.wikihop.record_fields import CharacterSpan
from keras_cgru.data.wikihop.simulated_text import Support
from keras_cgru.data.wikihop.simulated_world import (
    FEWEST_HOPS,
    MOST_HOPS,
    Entity,
    Fact,
    Question,
    World,
)


def simulate_records(
    num_records: int, seed: int, split: str = "train", max_hops: int = MOST_HOPS
) -> list[WikiHopRecord]:
    """Makes records whose answer follows from facts in two or three texts.

    Five chains of facts (a person, the firm where that person works, the town
    where the firm has its seat, the country to which the town belongs) are told in
    short texts, so that no two facts of a chain stand in the same one. A text names one
    or two entities and then tells a fact of each with a pronoun, a noun ("the firm") or
    a surname; a fact's object may be a short name ("Brandt" for Brandt Mills). So each
    step of a chain takes coreference, within a text and between texts. All chains are
    alike and the one that is asked about is drawn evenly, which leaves rules such as
    "the candidate that is mentioned last" no more than chance.

    Two records each have the same texts and different questions.

    Args:
        num_records: How many.
        seed: Together with `split` and its place it fixes a record.
        split: "train", "validation", "test"; ids begin "simulated-train-".
        max_hops: Questions take at most so many facts: 3, or 2 for easier ones.

    Returns:
        The records, `mentions` included: the clusters of all entities, each of all
        names, pronouns and nouns that stand for it.

    Raises:
        ValueError: `num_records` or `seed` is negative, or `max_hops` neither.
    """
    if min(num_records, seed) < 0:
        raise ValueError(
            "`num_records` and `seed` must be at least 0. Received: "
            f"num_records={num_records}, seed={seed}"
        )
    if not FEWEST_HOPS <= max_hops <= MOST_HOPS:
        raise ValueError(
            f"`max_hops` must be {FEWEST_HOPS} or {MOST_HOPS}. Received: {max_hops}"
        )
    return list(islice(_simulate(seed, split, max_hops), num_records))


def record_to_json(record: WikiHopRecord) -> dict[str, object]:
    """A record as an item of a file of the official form.

    `mentions` and `simulated` are keys that official files do not have.
    """
    content: dict[str, object] = {
        "id": record.id,
        "query": record.query,
        "answer": record.answer,
        "candidates": list(record.candidates),
        "supports": list(record.supports),
    }
    if record.annotations:
        content["annotations"] = list(map(list, record.annotations))
    if record.mentions is not None:
        content["mentions"] = [list(map(list, each)) for each in record.mentions]
    if record.simulated:
        content["simulated"] = True
    return content


def _simulate(seed: int, split: str, max_hops: int) -> Iterator[WikiHopRecord]:
    name = zlib.crc32(split.encode())
    index = 0
    while True:
        random = np.random.default_rng((seed, name, index))
        world = World.draw(random, max_hops)
        supports = _tell(world, random)
        for question in world.questions:
            id = f"simulated-{split}-{seed}-{index:05d}"
            yield _to_record(id, world, supports, question, random)
            index += 1


def _tell(world: World, random: np.random.Generator) -> list[Support]:
    facts: defaultdict[Entity, list[Fact]] = defaultdict(list)
    for fact in world.facts:
        facts[fact.subject].append(fact)
    named = [e for question in world.questions for e in world.answers(question)]
    others = list(dict.fromkeys([*named, *world.extras]))
    return [
        Support.about([facts[subject] for subject in each], others, random)
        for each in _pair(list(facts), random)
    ]


def _pair(
    subjects: Sequence[Entity], random: np.random.Generator
) -> list[tuple[Entity, ...]]:
    """Puts most subjects in twos that differ in kind and in chain."""
    while True:
        left = [subjects[number] for number in random.permutation(len(subjects))]
        found: list[tuple[Entity, ...]] = []
        while left:
            one = left.pop()
            fits = [e for e in left if e.kind != one.kind and e.chain != one.chain]
            if fits:
                left.remove(fits[0])
                found.append((one, fits[0]))
            else:
                found.append((one,))
        # An odd one may be alone; more would make too many texts.
        if sum(len(each) == 1 for each in found) <= 1:
            return found


def _to_record(
    id: str,
    world: World,
    supports: Sequence[Support],
    question: Question,
    random: np.random.Generator,
) -> WikiHopRecord:
    answers = world.answers(question)
    chain = random.integers(len(answers))
    kind = answers[0].kind
    extras = [entity for entity in world.extras if entity.kind == kind]
    candidates = sorted(entity.name.lower() for entity in (*answers, *extras))
    head = world.heads(question)[chain].name.lower()
    return WikiHopRecord(
        id=id,
        query=f"{question.relation} {head}",
        answer=answers[chain].name.lower(),
        candidates=tuple(candidates),
        supports=tuple(support.text for support in supports),
        mentions=_clusters(supports),
        simulated=True,
    )


def _clusters(supports: Sequence[Support]) -> tuple[tuple[CharacterSpan, ...], ...]:
    clusters: defaultdict[Entity, list[CharacterSpan]] = defaultdict(list)
    for number, support in enumerate(supports):
        for entity, start, end in support.mentions:
            clusters[entity].append((number, start, end))
    return tuple(map(tuple, clusters.values()))
