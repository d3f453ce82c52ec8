"""Dtype policies: what comes out, and that cluster ids stay exact (scenario 6)."""

import keras
import numpy as np
import pytest
from keras import ops

from keras_cgru import CorefGRU, CorefGRUCell, pack_clusters

# Of one unit, against float32: bfloat16 has 8 significant bits, float16 has 11.
POLICIES = {"float32": 1e-6, "mixed_bfloat16": 3e-2, "mixed_float16": 4e-3}


def _dtype(tensor):
    return str(ops.convert_to_numpy(tensor).dtype)


def test_output_dtype_and_value(specimen, compiled):
    layers = {policy: specimen.make(dtype=policy) for policy in POLICIES}
    for layer in layers.values():
        specimen(layer, specimen.symbolic())
        layer.set_weights(layers["float32"].get_weights())
    outputs = compiled(lambda: {p: specimen(layer) for p, layer in layers.items()})()
    want = ops.convert_to_numpy(outputs["float32"])
    for policy, tolerance in POLICIES.items():
        compute = policy.removeprefix("mixed_")
        wanted = "float32" if specimen.always_wide else compute
        assert _dtype(outputs[policy]) == wanted
        assert {w.dtype for w in layers[policy].weights} <= {"float32"}
        got = ops.convert_to_numpy(outputs[policy]).astype("float32")
        np.testing.assert_allclose(got, want, atol=tolerance)


@pytest.mark.parametrize(
    ("policy", "limit"), [("mixed_bfloat16", 255), ("mixed_float16", 2047)]
)
def test_ids_next_to_the_limit_are_not_rounded(make_recurrence, policy, limit):
    """Scenario 6: 257 is 256 in bfloat16, 2049 is 2048 in float16."""
    options = {"num_clusters": limit, "dtype": policy, "return_state": True}
    recurrence = make_recurrence(2, **options)
    x = np.ones((1, 3, 2), "float32")
    recurrence.build(x.shape)
    ids = np.array([[limit - 1, limit, limit + 1]])
    memory = ops.convert_to_numpy(recurrence.read(x, ids)[2]).astype("float32")
    written = memory.reshape(limit, 2)[:, 1]
    # limit + 1 is out of range: it writes nothing and takes no antecedent.
    np.testing.assert_array_equal(np.flatnonzero(written), [limit - 2, limit - 1])
    outside = recurrence.read(x, np.array([[0, limit, limit + 1]]))[0]
    unlinked = recurrence.read(x, np.array([[0, limit, 0]]))[0]
    np.testing.assert_array_equal(*map(ops.convert_to_numpy, (outside, unlinked)))


def test_layer_hands_its_policy_to_its_cell():
    layer = CorefGRU(4, dtype="mixed_float16")
    assert layer.cell.compute_dtype == "float16"
    assert layer.cell.variable_dtype == "float32"


@pytest.mark.parametrize("policy", ["mixed_bfloat16", "mixed_float16"])
@pytest.mark.parametrize("path", ["states", "stateful", "no kernel", "writes", "cell"])
def test_dropout_in_half_precision(policy, path):
    """Where `RNN` draws the mask it is a float32 one."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(2, 3, 5)).astype("float32")
    ids = np.array([[1, 1, 2], [0, 1, 1]])
    options = {"dropout": 0.5, "recurrent_dropout": 0.5, "dtype": policy, "seed": 1}
    if path == "cell":
        layer = keras.layers.RNN(CorefGRUCell(4, 3, **options))
        output = layer(pack_clusters(x, ids), training=True)
    else:
        options["stateful"] = path == "stateful"
        options["use_kernel"] = False if path == "no kernel" else "auto"
        layer = CorefGRU(4, 3, **options)
        inputs = [x, ids, ids] if path == "writes" else [x, ids]
        states = [np.ones((2, 4)), np.zeros((2, 9))] if path == "states" else None
        if states is not None:
            states = [ops.cast(state, layer.compute_dtype) for state in states]
        output = layer(inputs, initial_state=states, training=True)
    values = ops.convert_to_numpy(ops.cast(output, "float32"))
    assert np.isfinite(values).all() and abs(values).max() > 0


def test_dropout_of_features_is_that_of_stock_rnn():
    """The same seed drops the same, with any number of clusters a token."""
    x = np.random.default_rng(0).normal(size=(2, 3, 5)).astype("float32")
    ids = np.array([[[1, 2], [1, 0], [2, 3]], [[0, 0], [1, 3], [3, 1]]])
    layers = [
        CorefGRU(4, 3, dropout=0.5, seed=3, use_kernel=use_kernel)
        for use_kernel in ("auto", False)
    ]
    for layer in layers:
        layer.build([x.shape, ids.shape])
        layer.set_weights(layers[0].get_weights())
    kernel, stock = (
        ops.convert_to_numpy(layer([x, ids], training=True)) for layer in layers
    )
    np.testing.assert_allclose(kernel, stock, atol=1e-6)
