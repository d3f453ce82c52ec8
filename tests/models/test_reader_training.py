"""Readers learn: eight examples are soon known by heart."""

import keras
import numpy as np
import pytest

EXAMPLES, TIME, CANDIDATES, EPOCHS = 8, 6, 3, 40


def _examples():
    """Random texts; the answer is drawn, so it can be learnt by heart alone."""
    rng = np.random.default_rng(0)

    def integers(high, *shape):
        return rng.integers(1, high, (EXAMPLES, *shape)).astype("int32")

    positions = np.zeros((EXAMPLES, CANDIDATES, TIME), bool)
    for candidate in range(CANDIDATES):
        positions[:, candidate, [candidate, candidate + 3]] = True
    data = {
        "document": integers(11, TIME),
        "document_mask": np.ones((EXAMPLES, TIME), bool),
        "document_clusters": integers(4, TIME) - 1,
        "query": integers(11, 4),
        "query_mask": np.ones((EXAMPLES, 4), bool),
        "query_clusters": integers(4, 4) - 1,
        "candidate_positions": positions,
        "candidate_mask": np.ones((EXAMPLES, CANDIDATES), bool),
    }
    return data, rng.integers(0, CANDIDATES, EXAMPLES)


@pytest.mark.parametrize("variant", ["coref_gru", "gru", "gru_onehot"])
def test_overfits_eight_examples(build_reader, variant):
    """The loss falls to less than a tenth, every answer is right, all weights move."""
    keras.utils.set_random_seed(1)
    data, answers = _examples()
    model = build_reader(variant, logits=True, units=8, num_layers=1)
    loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    model.compile(keras.optimizers.Adam(0.03), loss)
    before = model.get_weights()
    history = model.fit(data, answers, epochs=EPOCHS, shuffle=False, verbose=0)
    losses = history.history["loss"]
    assert losses[-1] < 0.1 * losses[0]
    logits = model.predict(data, verbose=0)
    np.testing.assert_array_equal(logits.argmax(axis=1), answers)
    for weight, old in zip(model.weights, before, strict=True):
        assert abs(keras.ops.convert_to_numpy(weight) - old).max() > 1e-4, weight.path
