"""Scenario 22: the reader under a half-precision policy with huge scores."""

import keras
import numpy as np
import pytest


@pytest.mark.parametrize("policy", ["mixed_float16", "mixed_bfloat16"])
@pytest.mark.parametrize("variant", ["coref_gru", "coref_gru, shared memory", "gru"])
def test_probabilities(build_reader, batch, predict, refill_padding, policy, variant):
    before = keras.config.dtype_policy()
    keras.config.set_dtype_policy(policy)
    try:
        model = build_reader(variant)
    finally:
        keras.config.set_dtype_policy(before)
    # States near 1 and embeddings far beyond: scores as large as they can be.
    model.set_weights([30 * weights for weights in model.get_weights()])
    got = predict(model, batch).astype("float32")
    np.testing.assert_allclose(got.sum(axis=1), 1, atol=1e-5)
    np.testing.assert_array_equal(got[~batch["candidate_mask"]], 0)
    filled = predict(model, refill_padding(batch, 0)).astype("float32")
    np.testing.assert_array_equal(filled[~batch["candidate_mask"]], 0)
    np.testing.assert_allclose(filled, got, atol=1e-6)
