"""Words of the document that the query has, too."""

import keras
import numpy as np
import pytest
from keras import ops

from keras_cgru.layers import InQuery

DOCUMENT = np.array([[4, 5, 6, 5], [7, 4, 0, 0]], "int32")
QUERY = np.array([[5, 9, 4], [4, 0, 0]], "int32")
DOCUMENT_MASK = DOCUMENT > 0
QUERY_MASK = QUERY > 0
FOUND = [[1, 1, 0, 1], [0, 1, 0, 0]]


def _find(document=DOCUMENT, query=QUERY, mask=(DOCUMENT_MASK, QUERY_MASK)):
    mask = None if mask is None else list(mask)
    return ops.convert_to_numpy(InQuery()([document, query], mask=mask))


def test_by_hand():
    found = _find()
    assert found.dtype == "int32"
    np.testing.assert_array_equal(found, FOUND)


def test_without_masks_every_token_counts():
    np.testing.assert_array_equal(_find(mask=None), [[1, 1, 0, 1], [0, 1, 1, 1]])
    half = _find(mask=(DOCUMENT_MASK, None))
    np.testing.assert_array_equal(half, FOUND)


def test_what_stands_in_padding_changes_nothing():
    """Scenario 8."""
    rng = np.random.default_rng(0)
    for _ in range(5):
        document = np.where(DOCUMENT_MASK, DOCUMENT, rng.integers(0, 10, (2, 4)))
        query = np.where(QUERY_MASK, QUERY, rng.integers(0, 10, (2, 3)))
        np.testing.assert_array_equal(_find(document, query), FOUND)


def test_an_empty_query_has_no_word():
    """Scenario 9."""
    found = _find(mask=(DOCUMENT_MASK, np.array([[True] * 3, [False] * 3])))
    np.testing.assert_array_equal(found, [FOUND[0], [0] * 4])


@pytest.mark.parametrize("time", [None, 4])
def test_shape_and_dtype_of_a_symbolic_call(time):
    document = keras.Input((time,), dtype="int32")
    query = keras.Input((None,), dtype="int32")
    output = InQuery()([document, query])
    assert output.shape == (None, time)
    assert output.dtype == "int32"
    model = keras.Model([document, query], output)
    np.testing.assert_array_equal(
        model.predict([DOCUMENT, QUERY], verbose=0), _find(mask=None)
    )


def test_passes_no_mask_on():
    masks = [DOCUMENT_MASK, QUERY_MASK]
    assert InQuery().compute_mask([DOCUMENT, QUERY], masks) is None


def test_config_round_trip():
    layer = InQuery.from_config(InQuery(name="found").get_config())
    assert layer.name == "found"
