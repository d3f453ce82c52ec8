"""Kinds of entities, from hand-made texts and from simulated stories."""

import pytest

from keras_cgru.data.babi.entity_kinds import entity_kinds
from keras_cgru.data.babi.examples import babi_examples
from keras_cgru.data.babi.simulated import simulated_babi_splits

SENTENCES = [
    line.split()
    for line in """ann went to the barn .
bob went to the mill .
bob took the saw .
ann took the rope .
where is ann ?
where is bob ?
where is the saw ?
where is the rope ?
ann is in the barn .
bob is in the mill .""".splitlines()
]
NAMES = ("ann", "bob", "barn", "mill", "saw", "rope")


def test_people_places_and_things():
    kinds = entity_kinds(SENTENCES, NAMES)
    assert kinds == (
        frozenset({"ann", "bob"}),
        frozenset({"barn", "mill"}),
        frozenset({"rope", "saw"}),
    )


def test_how_often_a_sentence_comes_does_not_matter():
    assert entity_kinds(SENTENCES + SENTENCES[:1] * 50, NAMES) == entity_kinds(
        SENTENCES, NAMES
    )


@pytest.mark.parametrize(("threshold", "number"), [(1.0, 6), (0.0, 1)])
def test_the_threshold_is_all_that_parts_them(threshold, number):
    assert len(entity_kinds(SENTENCES, NAMES, threshold)) == number


def test_a_chain_of_likeness_is_one_kind():
    sentences = [["x", "a"], ["x", "b"], ["y", "b"], ["y", "c"]]
    assert entity_kinds(sentences, "ab", 0.4) == (frozenset("ab"),)
    assert entity_kinds(sentences, "abc", 0.4) == (frozenset("abc"),)
    assert entity_kinds(sentences, "abc", 0.95)[0] == frozenset("a")


def test_a_name_that_stands_nowhere_is_alone():
    kinds = entity_kinds(SENTENCES, (*NAMES, "zoe"))
    assert frozenset({"zoe"}) in kinds and len(kinds) == 4
    assert entity_kinds([], ()) == ()


def test_kinds_part_all_entities():
    for task in (1, 2, 16):
        examples = babi_examples(simulated_babi_splits(task))
        names = [name for kind in examples.kinds for name in kind]
        assert sorted(names) == sorted(examples.entities)
        assert len(examples.kinds) > 1


@pytest.mark.parametrize("threshold", [-0.1, 1.1])
def test_a_threshold_out_of_range(threshold):
    with pytest.raises(ValueError, match=rf"`threshold` must be.*={threshold}"):
        entity_kinds(SENTENCES, NAMES, threshold)
