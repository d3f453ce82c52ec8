"""Gated attention: against NumPy, and blind to padding (scenarios 8 and 9)."""

import keras
import numpy as np
import pytest
from keras import ops

from keras_cgru import GatedAttention

RNG = np.random.default_rng(4)
DOCUMENT = RNG.normal(size=(2, 4, 3)).astype("float32")
QUERY = RNG.normal(size=(2, 3, 3)).astype("float32")
DOCUMENT_MASK = np.array([[1, 1, 1, 1], [1, 1, 0, 0]], bool)
QUERY_MASK = np.array([[1, 1, 1], [0, 1, 1]], bool)


def _attend(document=DOCUMENT, query=QUERY, mask=(DOCUMENT_MASK, QUERY_MASK)):
    output = GatedAttention()([document, query], mask=None if mask is None else [*mask])
    return ops.convert_to_numpy(output)


def _expected(document_mask, query_mask):
    """Token by token: softmax over the real tokens of the query, then the product."""
    output = np.zeros(DOCUMENT.shape)
    for row, token in np.argwhere(document_mask):
        d = DOCUMENT[row, token].astype("float64")
        real = QUERY[row][query_mask[row]].astype("float64")
        weights = np.exp(real @ d)
        output[row, token] = d * (weights @ real) / weights.sum()
    return output


def test_equals_numpy():
    want = _expected(DOCUMENT_MASK, QUERY_MASK)
    np.testing.assert_allclose(_attend(), want, atol=1e-6)
    every = np.ones_like(DOCUMENT_MASK), np.ones_like(QUERY_MASK)
    np.testing.assert_allclose(_attend(mask=None), _expected(*every), atol=1e-6)
    half = _expected(every[0], QUERY_MASK)
    np.testing.assert_allclose(_attend(mask=(None, QUERY_MASK)), half, atol=1e-6)


def test_a_token_by_hand():
    """Scores ln 3 and 0 give weights 3/4 and 1/4: the summary is 3/4, times ln 3."""
    ln_3 = float(np.log(3))
    document = np.array([[[ln_3, 1.0]]], "float32")
    query = np.array([[[1.0, 0.0], [0.0, 0.0]]], "float32")
    output = _attend(document, query, mask=None)
    np.testing.assert_allclose(output, [[[0.75 * ln_3, 0.0]]], atol=1e-6)


def test_padding_has_weight_exactly_zero():
    """Scenario 8: what stands in padding changes not one bit."""
    query = np.where(QUERY_MASK[..., None], QUERY, np.float32(1e6))
    document = np.where(DOCUMENT_MASK[..., None], DOCUMENT, np.float32(-1e6))
    output = _attend(document, query)
    np.testing.assert_array_equal(output, _attend())
    np.testing.assert_array_equal(output[~DOCUMENT_MASK], 0)


def test_empty_query_gives_zeros_and_finite_gradients(value_and_gradients):
    """Scenario 9."""
    layer = GatedAttention()
    masks = [DOCUMENT_MASK, np.array([[0, 0, 0], [1, 1, 1]], bool)]
    (output,), gradients, _ = value_and_gradients(
        layer,
        lambda *inputs: [layer(list(inputs), mask=masks)],
        [DOCUMENT, QUERY],
        [np.ones_like(DOCUMENT)],
    )
    np.testing.assert_array_equal(output[0], 0)
    np.testing.assert_allclose(output[1], _expected(*masks)[1], atol=1e-6)
    for gradient in gradients:
        np.testing.assert_array_equal(gradient[0], 0)
        assert np.isfinite(gradient).all() and abs(gradient[1]).max() > 0.01


def test_takes_the_masks_of_its_inputs():
    ids = np.array([[1, 2, 0], [3, 0, 0]])
    embedding = keras.layers.Embedding(5, 3, mask_zero=True)
    output = GatedAttention()([embedding(ids), embedding(ids)])
    given = GatedAttention()([embedding(ids), embedding(ids)], mask=[ids > 0, ids > 0])
    np.testing.assert_array_equal(*map(ops.convert_to_numpy, (output, given)))
    np.testing.assert_array_equal(ops.convert_to_numpy(output)[ids == 0], 0)
    mask = ops.convert_to_numpy(output._keras_mask)
    np.testing.assert_array_equal(mask, ids > 0)


@pytest.mark.parametrize("policy", ["mixed_float16", "mixed_bfloat16"])
def test_scores_that_overflow_half_precision(policy):
    """Scenario 22: 300 * 300 is past float16's 65,504; the largest score still wins."""
    document = np.full((1, 1, 1), 300, "float32")
    query = np.array([[[300], [1], [-300]]], "float32")
    layer = GatedAttention(dtype=policy)
    mask = [np.array([[True]]), np.array([[False, True, True]])]
    output = ops.convert_to_numpy(layer([document, query], mask=mask))
    np.testing.assert_array_equal(output.astype("float32"), [[[300.0]]])
