"""Both denominators of an accuracy."""

import pytest

from keras_cgru.evaluation import Accuracy


def test_both_denominators():
    accuracy = Accuracy(num_correct=3, num_used=4, num_total=5)
    assert (accuracy.used, accuracy.overall) == (0.75, 0.6)
    assert str(accuracy) == "0.7500 of the 4 used, 0.6000 of all 5"


def test_counting_outcomes():
    assert Accuracy.count([True, False, True], num_total=6) == Accuracy(2, 3, 6)


def test_a_reader_that_can_use_nothing_scores_nothing():
    accuracy = Accuracy.count([], num_total=2)
    assert (accuracy.used, accuracy.overall) == (0.0, 0.0)


@pytest.mark.parametrize("counts", [(0, 0, 0), (-1, 1, 1), (2, 1, 2), (1, 3, 2)])
def test_counts_that_do_not_fit_are_refused(counts):
    message = f"Received: num_correct={counts[0]}, num_used={counts[1]}"
    with pytest.raises(ValueError, match=message):
        Accuracy(*counts)
