"""Answers without reading, on documents worked by hand."""

from dataclasses import dataclass

import numpy as np
import pytest

from keras_cgru.evaluation import (
    expected_random_accuracy,
    trivial_accuracies,
    trivial_answers,
)


@dataclass
class Cloze:
    """The little that the answers look at; positions are given by hand."""

    candidates: tuple[tuple[str, ...], ...]
    positions: tuple[tuple[int, ...], ...]
    answer_index: int = 0
    id: str = "story 1"

    def candidate_positions(self):
        return self.positions


def words(*tokens):
    return tuple((token,) for token in tokens)


@pytest.mark.parametrize(
    ("positions", "most_frequent", "last"),
    [
        (((0, 3), (1,), (5,)), 0, 2),
        (((0, 3), (1, 4), (2,)), 1, 1),
        (((6,), (1, 4), ()), 1, 0),
        (((), (), (9,)), 2, 2),
        (((), (), ()), 0, 0),
    ],
    ids=["plain", "tie: the later", "apart", "the only one", "none occurs"],
)
def test_by_hand(positions, most_frequent, last):
    answers = trivial_answers([Cloze(words("a", "b", "c"), positions)], seed=0)
    assert answers["most_frequent"] == [most_frequent]
    assert answers["last"] == [last]


def test_a_long_candidate_is_not_more_frequent_for_its_length():
    """ "new york" once (two positions) against "rome" twice."""
    example = Cloze((("new", "york"), ("rome",)), ((0, 1), (4, 7)))
    assert trivial_answers([example], seed=0)["most_frequent"] == [1]
    once = Cloze((("new", "york", "city"), ("rome",)), ((5, 6, 7), (0, 2)))
    assert trivial_answers([once], seed=0)["most_frequent"] == [1]


def test_random_is_uniform_and_fixed_by_the_seed():
    examples = [Cloze(words("a", "b", "c"), ((0,), (1,), (2,)))] * 3000
    first = trivial_answers(examples, seed=4)["random"]
    assert first == trivial_answers(examples, seed=4)["random"]
    assert first != trivial_answers(examples, seed=5)["random"]
    # 5 standard deviations of a binomial count around a third of 3000.
    assert np.bincount(first) == pytest.approx([1000] * 3, abs=130)


def test_expectation_is_the_mean_of_the_shares():
    two = Cloze(words("a", "b"), ((0,), (1,)))
    four = Cloze(words("a", "b", "c", "d"), ((), (), (), ()))
    assert expected_random_accuracy([two, four]) == (1 / 2 + 1 / 4) / 2


def test_examples_without_candidates_are_named():
    empty = Cloze((), (), id="story 7")
    with pytest.raises(ValueError, match="Received: none in example 'story 7'"):
        trivial_answers([empty], seed=0)
    with pytest.raises(ValueError, match="Received: none in example 'story 7'"):
        expected_random_accuracy([empty])
    with pytest.raises(ValueError, match="`examples` must hold at least one"):
        expected_random_accuracy([])


def test_accuracies_on_both_denominators():
    right = Cloze(words("a", "b"), ((0, 2), (1,)))
    wrong = Cloze(words("a", "b"), ((0,), (1, 2)))
    assert trivial_accuracies([right, wrong], num_total=4) == {
        "random": {"used": 0.5, "overall": 0.25},
        "most_frequent": {"used": 0.5, "overall": 0.25},
        "last": {"used": 0.5, "overall": 0.25},
    }
    assert trivial_accuracies([right], num_total=4)["last"]["overall"] == 0.25
