"""The attention sum: against NumPy, and blind to padding (scenarios 8, 9 and 22)."""

import keras
import numpy as np
import pytest
from keras import ops

from keras_cgru import AttentionSum

RNG = np.random.default_rng(5)
DOCUMENT = RNG.normal(size=(2, 5, 3)).astype("float32")
QUERY = RNG.normal(size=(2, 3)).astype("float32")
POSITIONS = np.array(
    [
        [[1, 0, 0, 1, 0], [0, 1, 0, 0, 0], [0, 0, 0, 0, 0]],
        [[0, 1, 0, 0, 1], [0, 0, 1, 0, 0], [1, 0, 0, 0, 0]],
    ],
    bool,
)
DOCUMENT_MASK = np.array([[1, 1, 1, 1, 1], [1, 1, 1, 0, 0]], bool)
CANDIDATE_MASK = np.array([[1, 1, 1], [1, 1, 0]], bool)


def _answer(document=DOCUMENT, positions=POSITIONS, masks=True, **options):
    mask = [DOCUMENT_MASK, None, CANDIDATE_MASK] if masks else None
    output = AttentionSum(**options)([document, QUERY, positions], mask=mask)
    return ops.convert_to_numpy(output)


def _expected(masks=True):
    """Token by token, over the mentions of any candidate alone."""
    probabilities = np.zeros(POSITIONS.shape[:2])
    for row in range(len(DOCUMENT)):
        weights = np.exp(DOCUMENT[row].astype("float64") @ QUERY[row])
        for candidate, token in np.argwhere(POSITIONS[row]):
            if masks and not CANDIDATE_MASK[row, candidate]:
                continue
            if masks and not DOCUMENT_MASK[row, token]:
                continue
            probabilities[row, candidate] += weights[token]
        probabilities[row] /= probabilities[row].sum()
    return probabilities


@pytest.mark.parametrize("masks", [True, False])
def test_equals_numpy(masks):
    np.testing.assert_allclose(_answer(masks=masks), _expected(masks), atol=1e-6)


def test_logits_are_log_probabilities_up_to_a_constant():
    logits, want = _answer(logits=True), _expected()
    shifted = np.exp(logits.astype("float64"))
    shifted /= shifted.sum(axis=-1, keepdims=True)
    np.testing.assert_allclose(shifted, want, atol=1e-6)
    assert (logits[want == 0] == -1e9).all()


def test_padding_and_unmentioned_candidates_have_exactly_zero():
    """Scenario 8: and what stands in padding changes not one bit."""
    output = _answer()
    want_zero = [[False, False, True], [False, False, True]]
    np.testing.assert_array_equal(output == 0, want_zero)
    document = np.where(DOCUMENT_MASK[..., None], DOCUMENT, np.float32(50))
    positions = POSITIONS | ~DOCUMENT_MASK[:, None, :] | ~CANDIDATE_MASK[..., None]
    np.testing.assert_array_equal(_answer(document, positions), output)


@pytest.mark.parametrize("logits", [False, True])
def test_row_without_candidates(value_and_gradients, logits):
    """Scenario 9: nothing to all alike; finite gradients; other rows as alone."""
    layer = AttentionSum(logits=logits)
    positions = POSITIONS * np.array([[[False]], [[True]]])
    cotangent = np.array([[1.0, 2.0, 3.0]] * 2, "float32")
    mask = [DOCUMENT_MASK, None, CANDIDATE_MASK]
    (output,), gradients, _ = value_and_gradients(
        layer,
        lambda *inputs: [layer([*inputs, positions], mask=mask)],
        [DOCUMENT, QUERY],
        [cotangent],
    )
    np.testing.assert_array_equal(output[0], np.float32(-1e9 if logits else 1e-30))
    np.testing.assert_array_equal(output[1], _answer(logits=logits)[1])
    for gradient in gradients:
        np.testing.assert_array_equal(gradient[0], 0)
        assert np.isfinite(gradient).all() and abs(gradient[1]).max() > 0.01


@pytest.mark.parametrize("padded", [False, True])
@pytest.mark.parametrize("policy", ["float32", "mixed_float16", "mixed_bfloat16"])
def test_losses_of_rows_whose_answer_is_not_mentioned(
    value_and_gradients, policy, padded
):
    """Probabilities into Keras's own loss: row 0 mentions no candidate, row 1 others.

    A loss divides by the sum of a row, on JAX and PyTorch.
    """
    layer = AttentionSum(dtype=policy)
    positions = np.array([[[0] * 5] * 3, [[0] * 5, [1] * 5, [0, 1, 0, 0, 0]]], bool)
    candidates = np.array([[0, 0, 0] if padded else [1, 1, 1], [1, 1, 1]], bool)
    gold = np.array([0, 0])

    def call(document, query):
        inputs = [document, query, positions]
        answer = layer(inputs, mask=[DOCUMENT_MASK, None, candidates])
        loss = keras.losses.sparse_categorical_crossentropy(gold, answer)
        return [answer, loss]

    cotangents = [np.zeros((2, 3), "float32"), np.ones(2, "float32")]
    (answer, loss), gradients, _ = value_and_gradients(
        layer, call, [DOCUMENT, QUERY], cotangents
    )
    assert (answer[0] < 1e-29).all() and answer[1, 0] == 0
    assert np.isfinite(loss).all() and loss[1] > 15
    for gradient in gradients:
        assert np.isfinite(gradient).all()
        np.testing.assert_array_equal(gradient[0], 0)


@pytest.mark.parametrize("policy", ["float32", "mixed_float16", "mixed_bfloat16"])
def test_huge_scores(policy):
    """Scenario 22: finite, and a probability for each row sums to 1."""
    layer = AttentionSum(dtype=policy)
    document = np.array([[[250.0], [250.0], [-250.0], [250.0]]], "float32")
    query = np.array([[250.0]], "float32")
    positions = np.array([[[1, 0, 0, 0], [0, 1, 1, 0], [0, 0, 0, 1]]], bool)
    mask = [np.array([[1, 1, 1, 0]], bool), None, None]
    output = ops.convert_to_numpy(layer([document, query, positions], mask=mask))
    np.testing.assert_allclose(output, [[0.5, 0.5, 0.0]], atol=1e-6)


@pytest.mark.parametrize("logits", [False, True])
def test_scores_that_are_no_numbers_show(logits):
    """A training that diverged must not look like one that found no mention."""
    document = DOCUMENT.copy()
    document[0, 0] = np.nan
    first, second = _answer(document, logits=logits)
    assert np.isnan(first[0])
    assert np.isfinite(second).all()
    # Where the token is nobody's mention it has no say.
    unmentioned = POSITIONS & (np.arange(5) > 0)
    assert np.isfinite(_answer(document, unmentioned, logits=logits)).all()
