"""The list of mentions as the map of mentions."""

import keras
import numpy as np
import pytest
from keras import ops

from keras_cgru.layers import CandidateMap

# A token of two candidates, one pair twice, padding, and what is out of range.
OCCURRENCES = np.array(
    [
        [[0, 2], [1, 2], [1, 0], [1, 0], [-1, -1]],
        [[2, 1], [3, 1], [0, 4], [0, 0], [-1, 0]],
    ],
    "int32",
)
DOCUMENT = np.zeros((2, 4), "int32")
CANDIDATES = np.ones((2, 3), bool)
MAP = np.zeros((2, 3, 4), bool)
MAP[0, 0, 2] = MAP[0, 1, 2] = MAP[0, 1, 0] = MAP[1, 2, 1] = MAP[1, 0, 0] = True
INPUTS = [OCCURRENCES, DOCUMENT, CANDIDATES]


def test_by_hand():
    found = ops.convert_to_numpy(CandidateMap()(INPUTS))
    assert found.dtype == bool
    np.testing.assert_array_equal(found, MAP)


@pytest.mark.parametrize("pairs", [None, 5])
def test_a_symbolic_call(pairs):
    inputs = [
        keras.Input((pairs, 2), dtype="int32"),
        keras.Input((None,), dtype="int32"),
        keras.Input((3,), dtype="bool"),
    ]
    output = CandidateMap()(inputs)
    assert (output.shape, output.dtype) == ((None, 3, None), "bool")
    model = keras.Model(inputs, output)
    np.testing.assert_array_equal(model.predict(INPUTS, verbose=0), MAP)


def test_passes_no_mask_on():
    assert CandidateMap().compute_mask(INPUTS, [None, DOCUMENT > 0, None]) is None


@pytest.mark.parametrize(
    "inputs, message",
    [
        ([OCCURRENCES, DOCUMENT], "must be called with"),
        ([OCCURRENCES[..., :1], DOCUMENT, CANDIDATES], "must be of length 2"),
        ([OCCURRENCES, DOCUMENT[0], CANDIDATES], "must be called with"),
        ([OCCURRENCES, DOCUMENT, CANDIDATES[:1]], "must be called with"),
    ],
)
def test_shapes_are_checked(inputs, message):
    with pytest.raises(ValueError, match=message):
        CandidateMap()(inputs)
