"""A mask that the features carry counts beside an `initial_state`, too.

Keras itself looks for it only where the layer is called with nothing else.
"""

import keras
import numpy as np
import pytest
from keras import ops

from keras_cgru import CorefGRU, CorefGRUCell, pack_clusters

UNITS, NUM_CLUSTERS = 4, 3
WORDS = np.array([[1, 2, 0, 0, 0], [3, 4, 1, 2, 0]], "int32")
CLUSTERS = np.array([[1, 2, 1, 1, 2], [2, 0, 2, 1, 1]], "int32")
RNG = np.random.default_rng(0)
STATES = [
    RNG.normal(size=(2, size)).astype("float32")
    for size in (UNITS, NUM_CLUSTERS * (UNITS // 2 + 1))
]
CASES = {
    "kernel": (False, {}),
    "kernel in both directions": (True, {"return_sequences": True}),
    "stock RNN": (False, {"use_kernel": False, "return_sequences": True}),
    "stock RNN in both directions": (True, {"use_kernel": False}),
}


def arrays(tensors):
    return [ops.convert_to_numpy(tensor) for tensor in keras.tree.flatten(tensors)]


@pytest.mark.parametrize("case", CASES)
def test_padding_changes_nothing(case, tmp_path):
    """Eagerly, in a functional model, and in one that was saved."""
    both, options = CASES[case]
    embed = keras.layers.Embedding(6, 3, mask_zero=True)
    layer = CorefGRU(UNITS, NUM_CLUSTERS, return_state=True, **options)
    if both:
        layer = keras.layers.Bidirectional(layer)
    states = [ops.convert_to_tensor(state) for state in STATES] * (2 if both else 1)
    features = embed(WORDS)
    want = arrays(layer([features, CLUSTERS], initial_state=states, mask=WORDS > 0))
    carried = layer([features, CLUSTERS], initial_state=states)
    # Of the first row, nothing but its two tokens.
    short = layer(
        [embed(WORDS[:1, :2]), CLUSTERS[:1, :2]],
        initial_state=[state[:1] for state in states],
    )
    for got, alone in zip(arrays(carried[1:]), arrays(short[1:]), strict=True):
        np.testing.assert_allclose(got[:1], alone, atol=1e-6)

    inputs = [keras.Input((None,), dtype="int32") for _ in range(2)]
    start = [keras.Input((state.shape[1],)) for state in STATES]
    given = start * 2 if both else start
    read = layer([embed(inputs[0]), inputs[1]], initial_state=given)
    model = keras.Model([*inputs, *start], read)
    model.save(tmp_path / "model.keras")
    loaded = keras.saving.load_model(tmp_path / "model.keras")
    for got in (
        arrays(carried),
        *(m.predict([WORDS, CLUSTERS, *STATES], verbose=0) for m in (model, loaded)),
    ):
        for part, wanted in zip(got, want, strict=True):
            np.testing.assert_allclose(part, wanted, atol=1e-6)


def test_a_given_mask_counts_more_than_a_carried_one():
    embed = keras.layers.Embedding(6, 3, mask_zero=True)
    layer = CorefGRU(UNITS, NUM_CLUSTERS)
    states = [ops.convert_to_tensor(state) for state in STATES]
    everything = np.ones(WORDS.shape, bool)
    features = embed(WORDS)
    unmasked = ops.convert_to_tensor(ops.convert_to_numpy(features))
    got = layer([features, CLUSTERS], initial_state=states, mask=everything)
    want = layer([unmasked, CLUSTERS], initial_state=states)
    np.testing.assert_array_equal(*arrays([got, want]))


def test_packed_features_carry_their_mask():
    """Into stock `RNN`, which finds it where no `initial_state` is given."""
    embed = keras.layers.Embedding(6, 3, mask_zero=True)
    layer = keras.layers.RNN(CorefGRUCell(UNITS, NUM_CLUSTERS))
    features = embed(WORDS)
    got = layer(pack_clusters(features, CLUSTERS))
    want = layer(pack_clusters(features, CLUSTERS), mask=WORDS > 0)
    without = layer(pack_clusters(ops.convert_to_numpy(features), CLUSTERS))
    got, want, without = arrays([got, want, without])
    np.testing.assert_array_equal(got, want)
    assert abs(got - without).max() > 1e-3
