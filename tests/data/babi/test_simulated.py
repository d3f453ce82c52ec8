"""What the simulator writes, the reader reads, and another model can answer."""

import re
from collections import Counter

import pytest

from keras_cgru.coref.text.inflection import singular
from keras_cgru.data import BucketLayout, ReaderDataset, Vocabulary
from keras_cgru.data.babi.examples import babi_examples
from keras_cgru.data.babi.questions import parse_babi
from keras_cgru.data.babi.simulated import (
    SIMULATED_TASKS,
    simulate_babi,
    simulated_babi_splits,
)


def read(task, number=200, seed=1):
    lines = enumerate(simulate_babi(task, number, seed).splitlines(), start=1)
    return parse_babi(lines, "simulated", task)


def supported(question):
    return [question.story[index] for index in question.support_sentences]


@pytest.mark.parametrize("task", SIMULATED_TASKS)
def test_the_reader_takes_what_the_simulator_writes(task):
    questions = read(task)
    assert 200 <= len(questions) < 210
    assert {q.task for q in questions} == {task}
    assert all(q.question[-1] == "?" for q in questions)
    assert all(sentence[-1] == "." for q in questions for sentence in q.story)
    assert len({q.story_index for q in questions}) > 30


@pytest.mark.parametrize("task", SIMULATED_TASKS)
def test_the_seed_fixes_the_stories(task):
    assert simulate_babi(task, 20, 3) == simulate_babi(task, 20, 3)
    assert simulate_babi(task, 20, 3) != simulate_babi(task, 20, 4)


@pytest.mark.parametrize("task", SIMULATED_TASKS)
def test_no_answer_is_right_much_more_often_than_all_others(task):
    counts = Counter(q.answer for q in read(task, 500))
    assert len(counts) > 1
    assert max(counts.values()) / sum(counts.values()) < 0.65, counts


# The answers are found again from the text alone, by means of other code.
PEOPLE = {name for q in read(1) for name in [q.question[2]]}


def replay(story):
    """Rooms of people and, by story order, who holds which thing where."""
    room, holder, lies = {}, {}, {}
    for sentence in story:
        text = " ".join(sentence)
        person = sentence[0]
        if found := re.search(r"(?:to|into) the (\w+) \.$", text):
            room[person] = found[1]
        elif found := re.search(r"the (\w+) to (\w+) \.$", text):
            holder.pop(found[1])
            holder[found[1]] = found[2]
        else:
            verb, thing = text.split(maxsplit=1)[1].rsplit(" the ", 1)
            thing = thing.removesuffix(" .")
            if verb in ("put down", "set down", "parted with"):
                holder.pop(thing)
                lies[thing] = room[person]
            else:
                holder[thing] = person
                lies.pop(thing, None)
    return room, holder, lies


def answer(task, question):
    room, holder, lies = replay(question.story)
    words = question.question
    if task == 1:
        return (room[words[2]],)
    if task == 2:
        thing = words[3]
        return (lies[thing] if thing in lies else room[holder[thing]],)
    if task == 6:
        return ("yes" if room[words[1]] == words[4] else "no",)
    person = next(word for word in words if word in PEOPLE)
    things = [thing for thing, who in holder.items() if who == person]
    if task == 7:
        return (("none", "one", "two", "three")[len(things)],)
    return tuple(things) or ("nothing",)


@pytest.mark.parametrize("task", [1, 2, 6, 7, 8])
def test_errands_have_the_answers_of_a_replay(task):
    for question in read(task):
        assert question.answer == answer(task, question), question


@pytest.mark.parametrize("task", [1, 2, 6])
def test_the_supports_alone_give_the_same_answer(task):
    for question in read(task):
        sentences = [question.story[i] for i in sorted(question.support_sentences)]
        room, holder, lies = replay_supports(sentences)
        if task == 2:
            thing = question.question[3]
            found = lies.get(thing) or room[holder[thing]]
            assert question.answer == (found,)
        else:
            assert question.answer[0] in ("yes", "no", *room.values())
            assert next(w for w in question.question if w in PEOPLE) in room


def replay_supports(sentences):
    """The same where a thing is put down that nobody was seen to take."""
    lifted = []
    for sentence in sentences:
        if {"down", "parted"} & set(sentence):
            taken = (sentence[0], "took", "the", sentence[-2], ".")
            lifted.append(taken)
        lifted.append(sentence)
    return replay(lifted)


def test_gifts():
    for question in read(5):
        ((giver, _, _, thing, _, receiver, _),) = supported(question)
        words = question.question
        if words[:2] == ("what", "did"):
            assert (words[2], words[5]) == (giver, receiver)
            assert question.answer == (thing,)
        elif words[:2] == ("who", "gave"):
            assert (words[3], words[5]) == (thing, receiver)
            assert question.answer == (giver,)
        else:
            assert {giver, thing} < set(words)
            assert question.answer == (receiver,)


def test_deduction_and_induction():
    for question in read(15):
        kind, rule = supported(question)
        assert kind[0] == question.question[2]
        assert singular(rule[0]) == kind[3]
        assert question.answer == (singular(rule[-2]),)
    for question in read(16):
        asked, like, colour = supported(question)
        assert asked[0] == question.question[3]
        assert asked[3] == like[3]
        assert like[0] == colour[0] != asked[0]
        assert question.answer == (colour[2],)
        # One kind, one colour, in the whole story.
        kinds = {s[0]: s[3] for s in question.story if len(s) == 5}
        seen = {(kinds[s[0]], s[2]) for s in question.story if len(s) == 4}
        assert len(dict(seen)) == len(seen)


def test_paths_lead_there():
    steps = {"n": (0, 1), "e": (1, 0), "s": (0, -1), "w": (-1, 0)}
    for question in read(19):
        start, end = question.question[6], question.question[9]
        at = {end: (0, 0)}
        for _ in question.story:
            for _, room, _, side, _, _, other, _ in question.story:
                east, north = steps[side[0]]
                if other in at and room not in at:
                    at[room] = (at[other][0] + east, at[other][1] + north)
                if room in at and other not in at:
                    at[other] = (at[room][0] - east, at[room][1] - north)
        moved = [steps[letter] for letter in question.answer]
        assert at[start] == (-sum(m[0] for m in moved), -sum(m[1] for m in moved))
        assert len(question.answer) == 2


@pytest.mark.parametrize("task", SIMULATED_TASKS)
def test_simulated_splits_say_what_they_are(task):
    splits = simulated_babi_splits(task, 100, 60)
    assert splits.simulated
    assert "SIMULATED" in splits.summary()
    assert 75 < len(splits.train) < 100
    assert len(splits.train) + len(splits.validation) >= 100
    assert 60 <= len(splits.test) < 65
    assert splits.test[0].story != splits.train[0].story
    examples = babi_examples(splits)
    assert examples.train.examples[0].metadata["simulated"] is True
    assert examples.train.examples[0].id.startswith(f"qa{task}-simulated-train-")
    assert examples.train.num_used == len(splits.train)
    assert examples.max_clusters <= 13


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((3, 10, 0), "must be one of 1, 2, .* Received: task=3"),
        ((1, 0, 0), "num_questions=0"),
        ((1, 10, -1), "seed=-1"),
    ],
)
def test_impossible_arguments(arguments, message):
    with pytest.raises(ValueError, match=message):
        simulate_babi(*arguments)


@pytest.mark.parametrize("task", [2, 8])
def test_batches_have_no_more_shapes_than_buckets_and_lose_nothing(task):
    examples = babi_examples(simulated_babi_splits(task, 120, 10)).train.examples
    assert len({len(example.document) for example in examples}) > 20
    layout = BucketLayout.from_examples(examples, 3)
    batches = ReaderDataset(
        examples, Vocabulary.build(examples), layout, batch_size=8, shuffle_seed=0
    )
    # The one smaller batch is a shape of its own.
    assert len(set(batches.shapes)) <= 4
    assert sorted(batches.order) == list(range(len(examples)))
