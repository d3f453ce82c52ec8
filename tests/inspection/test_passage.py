import math

import numpy as np
import pytest

from keras_cgru.inspection import Passage

TOKENS = ("a", "b", "c", "d")


def test_the_mentions_are_runs_of_one_cluster():
    passage = Passage(TOKENS, [2, 2, 0, 2])
    assert passage.mentions == ((0, 2, 2), (3, 4, 2))


def test_nested_mentions_start_with_the_longest():
    passage = Passage(TOKENS, [(1,), (3, 1), (1, 0), 0])
    assert passage.clusters == ((1,), (3, 1), (1,), ())
    assert passage.mentions == ((0, 3, 1), (1, 2, 3))


def test_a_weight_of_one_links_only_a_token_with_an_antecedent():
    # The layer gives exactly 1 where there is none; a weight may round to 1, too.
    passage = Passage(
        TOKENS,
        [1, 0, 1, 1],
        {(1, "forward"): [1, 1, 1, 0.5], (1, "backward"): [1, 1, 0.5, 1]},
    )
    assert passage.alpha[("1", "forward")] == (None, None, 1.0, 0.5)
    assert passage.alpha[("1", "backward")] == (1.0, None, 0.5, None)
    assert passage.linked == (0, 2, 3)


def test_none_and_nan_say_that_a_token_was_not_linked():
    passage = Passage(TOKENS, [1] * 4, {("x", "forward"): [None, math.nan, 1, 0]})
    assert passage.alpha[("x", "forward")] == (None, None, 1.0, 0.0)


def test_arrays_are_taken_as_they_come_from_a_model():
    lists = Passage(
        TOKENS, [0, 1, 0, 1], {("1", "forward"): [1, 1, 1, 0.5]}, [0.25] * 4
    )
    arrays = Passage(
        np.array(TOKENS).tolist(),
        np.array([0, 1, 0, 1], "int32"),
        {(1, "forward"): np.array([1, 1, 1, 0.5], "float32")},
        np.array([0.25] * 4, "float16"),
    )
    assert arrays == lists
    several = Passage(TOKENS, np.array([[0, 0], [2, 1], [1, 0], [0, 1]]))
    assert several.clusters == ((), (2, 1), (1,), (1,))


def test_rounding_beyond_one_is_one():
    passage = Passage(TOKENS, attention=[1.0000001, -1e-8, 0, 0])
    assert passage.attention == (1.0, 0.0, 0.0, 0.0)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"tokens": "abcd"}, "`tokens` must be a sequence of tokens"),
        ({"tokens": ["a", 1]}, "`tokens` must hold strings. Received: 1"),
        ({"tokens": 3}, "`tokens` must be a sequence"),
        ({"clusters": [1, 2]}, r"`clusters` must hold one value a token \(4\)"),
        ({"clusters": [1, -2, 0, 0]}, "`clusters` must be 0 .none. or positive"),
        ({"clusters": [1.5, 0, 0, 0]}, "`clusters` must hold integers"),
        ({"attention": [0.5]}, "`attention` must hold one value a token"),
        ({"attention": [0, 0, 0, 1.5]}, "`attention` must be a number from 0 to 1"),
        ({"attention": [0, 0, 0, math.nan]}, "`attention` must be a number from 0"),
        ({"attention": [0, 0, 0, True]}, "`attention` must be a number from 0 to 1"),
        ({"alpha": [0.5]}, r"`alpha` must map \(layer, direction\) to weights"),
        ({"alpha": {1: [0.5] * 4}}, r"`alpha` must have keys \(layer, direction\)"),
        ({"alpha": {(1, "up"): [0.5] * 4}}, "`alpha` must have a direction of"),
        ({"alpha": {(1, "forward"): []}}, "`alpha` must hold one value a token"),
        ({"alpha": {(1, "forward"): [0.5]}}, "`alpha` must hold one value a token"),
        ({"alpha": {(1, "forward"): [2] * 4}}, "`alpha` must be a number from 0 to 1"),
        ({"alpha": {(1, "forward"): ["x"] * 4}}, "`alpha` must be a number from 0"),
    ],
)
def test_a_broken_field_is_named(fields, message):
    with pytest.raises(ValueError, match=message):
        Passage(**{"tokens": TOKENS, **fields})


def test_one_layer_name_may_not_come_twice():
    alpha = {(1, "forward"): [0.5] * 4, ("1", "forward"): [0.1] * 4}
    with pytest.raises(ValueError, match="`alpha` must have distinct keys"):
        Passage(TOKENS, alpha=alpha)
