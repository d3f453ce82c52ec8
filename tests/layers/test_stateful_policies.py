"""A stateful layer reads on under every policy, whatever computes it.

Keras's own GRU loses its states on PyTorch under a mixed policy.
"""

import keras
import numpy as np
import pytest
from keras import ops

from keras_cgru import CorefGRU

UNITS, NUM_CLUSTERS = 4, 3
X = np.random.default_rng(0).normal(size=(2, 4, 3)).astype("float32")
CLUSTERS = np.array([[1, 2, 1, 1], [2, 0, 3, 2]], "int32")
PATHS = {
    "kernel": {},
    "other functions": {"activation": "relu"},
    "no kernel": {"use_kernel": False},
    "unrolled": {"unroll": True},
    "recurrent dropout": {"use_kernel": False, "recurrent_dropout": 0.5, "seed": 1},
    "reads and writes": {},
}


def _inputs(part, path):
    ids = CLUSTERS[:, part]
    return [X[:, part], ids, ids] if path == "reads and writes" else [X[:, part], ids]


# JAX, where each call is a program to compile, computes alike in both.
POLICIES = ["mixed_bfloat16", "mixed_float16"]
POLICIES = POLICIES[:1] if keras.backend.backend() == "jax" else POLICIES


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("path", PATHS)
def test_two_halves_are_one_pass(path, policy, randomise):
    options = {"dtype": policy, "recurrent_initializer": "glorot_uniform"}
    whole = CorefGRU(UNITS, NUM_CLUSTERS, **PATHS[path], **options)
    halves = CorefGRU(UNITS, NUM_CLUSTERS, stateful=True, **PATHS[path], **options)
    for layer in (whole, halves):
        layer.build([part.shape for part in _inputs(slice(0, 2), path)])
    randomise(whole.cell)
    halves.cell.set_weights(whole.cell.get_weights())
    mask = np.array([[1, 1, 1, 0], [1, 1, 1, 1]], bool)
    want = whole(_inputs(slice(0, 4), path), mask=mask)
    for part in (slice(0, 2), slice(2, 4)):
        got = halves(_inputs(part, path), mask=mask[:, part])
    got, want = (ops.convert_to_numpy(a).astype("float32") for a in (got, want))
    np.testing.assert_allclose(got, want, atol=2e-2)
    assert abs(want).max() > 0.05
    if path == "recurrent dropout":
        halves(_inputs(slice(0, 2), path), training=True)


@pytest.mark.parametrize("path", ["kernel", "no kernel"])
def test_states_of_another_type(path):
    """Handed in as float32, they are the layer's own type from then on."""
    layer = CorefGRU(UNITS, NUM_CLUSTERS, dtype="mixed_bfloat16", **PATHS[path])
    states = [np.ones((2, UNITS), "float32"), np.zeros((2, 9), "float32")]
    last = layer([X, CLUSTERS], initial_state=states)
    assert keras.backend.standardize_dtype(last.dtype) == "bfloat16"
    want = CorefGRU(UNITS, NUM_CLUSTERS, **PATHS[path])
    want.build([X.shape, CLUSTERS.shape])
    want.set_weights(layer.get_weights())
    wanted = ops.convert_to_numpy(want([X, CLUSTERS], initial_state=states))
    got = ops.convert_to_numpy(last).astype("float32")
    np.testing.assert_allclose(got, wanted, atol=3e-2)
