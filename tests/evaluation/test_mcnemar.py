"""McNemar's exact test, by hand and against SciPy."""

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from keras_cgru.evaluation import mcnemar


def outcomes(both_right, only_a, only_b, both_wrong):
    table = {(1, 1): both_right, (1, 0): only_a, (0, 1): only_b, (0, 0): both_wrong}
    pairs = [pair for pair, count in table.items() for _ in range(count)]
    return [bool(a) for a, _ in pairs], [bool(b) for _, b in pairs]


def test_worked_by_hand():
    """Of 6 discordant pairs 1 is B's: 2 * (C(6,0) + C(6,1)) / 2^6 = 14 / 64."""
    result = mcnemar(*outcomes(7, 5, 1, 2))
    table = (result.both_right, result.only_a, result.only_b, result.both_wrong)
    assert table == (7, 5, 1, 2)
    assert result.p_value == 14 / 64


@pytest.mark.parametrize("discordant", [0, 1, 4])
def test_an_even_split_shows_nothing(discordant):
    """Four and four: twice the lower half and the middle exceeds 1, so 1."""
    assert mcnemar(*outcomes(3, discordant, discordant, 2)).p_value == 1.0


def test_readers_that_never_disagree():
    assert mcnemar([True, False], [True, False]).p_value == 1.0
    assert mcnemar([], []).p_value == 1.0


def test_many_examples_neither_overflow_nor_round_to_nothing():
    result = mcnemar(*outcomes(0, 3000, 2800, 0))
    assert result.p_value == pytest.approx(0.0089, rel=0.01)
    assert mcnemar(*outcomes(0, 1000, 0, 0)).p_value == 2 / 2**1000


@settings(deadline=None)  # the first example imports SciPy
@given(st.tuples(*[st.integers(0, 60)] * 4))
def test_equals_scipy_and_is_symmetric(table):
    stats = pytest.importorskip("scipy.stats", reason="extra `recipes` not installed")
    a, b = outcomes(*table)
    result = mcnemar(a, b)
    discordant = result.only_a + result.only_b
    if discordant:
        want = stats.binomtest(result.only_a, discordant).pvalue
        assert result.p_value == pytest.approx(want, rel=1e-9)
    swapped = mcnemar(np.array(b), np.array(a))
    assert (swapped.only_a, swapped.only_b) == (result.only_b, result.only_a)
    assert swapped.p_value == result.p_value


@pytest.mark.parametrize(
    ("a", "b", "message"),
    [
        ([True], [True, False], "outcomes of the same examples. Received: 1 and 2"),
        (
            [[True]],
            [True],
            "`correct_a` must have one dimension. Received: shape (1, 1)",
        ),
        ([1], [0.5], "`correct_b` must hold truth values. Received: [0.5]"),
    ],
)
def test_other_inputs_are_refused(a, b, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        mcnemar(a, b)
