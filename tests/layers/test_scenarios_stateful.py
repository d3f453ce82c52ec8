"""Stateful layers: scenarios 5 and 21, faults that were reported of other software."""

import keras
import numpy as np
import pytest
from layers.test_scenarios import (
    CLUSTERS,
    INPUT_DIM,
    NUM_CLUSTERS,
    TIME,
    UNITS,
    _assert_close,
    _functional,
    _numpy,
    _read_by_oracle,
    _x,
)

from keras_cgru import CorefGRU

# --- Scenario 5


def _copy_task(make_recurrence, stateful):
    """A model that shall repeat a cluster's first token at its second, and its data."""
    x = np.random.default_rng(2).choice([-1, 1], (4, 4, 2)).astype("float32")
    recurrence = make_recurrence(UNITS, NUM_CLUSTERS, stateful=stateful)
    read = _functional(recurrence, batch_shape=x.shape)
    outputs = keras.layers.Dense(1)(read.output)
    model = keras.Model(read.inputs, outputs)
    model.compile(keras.optimizers.Adam(0.05), "mse")
    clusters = np.array([[1, 0, 2, 1]] * 4, "int32")
    return model, recurrence.layer, [x, clusters], x[:, 0, :1]


@pytest.mark.parametrize("stateful", [False, True])
def test_twenty_steps_move_every_weight_and_lower_the_loss(make_recurrence, stateful):
    """Scenario 5."""
    model, _, inputs, target = _copy_task(make_recurrence, stateful)
    before = model.get_weights()
    assert len(before) == 4 + 2  # no state among the weights
    options = {"batch_size": 4, "shuffle": False, "verbose": 0}
    losses = model.fit(inputs, target, epochs=20, **options).history["loss"]
    assert losses[-1] < 0.5 * losses[0]
    moved = [abs(a - b).max() for a, b in zip(model.get_weights(), before, strict=True)]
    assert min(moved) > 1e-3


def test_states_hold_values_after_fit_and_none_after_reset(make_recurrence):
    """Scenario 5."""
    model, layer, inputs, target = _copy_task(make_recurrence, stateful=True)
    if keras.backend.backend() == "jax" and not isinstance(layer, CorefGRU):
        pytest.skip(
            "Stock RNN does not list its states among its variables, so that fit on "
            "JAX loses them: keras.layers.GRU fails in the same way"
        )
    model.fit(inputs, target, batch_size=4, epochs=2, shuffle=False, verbose=0)
    h, memory = _numpy(layer.states)
    assert abs(h).max(axis=1).min() > 0.01
    flags = memory.reshape(4, NUM_CLUSTERS, -1)[..., -1]
    np.testing.assert_array_equal(flags, [[1, 1, 0]] * 4)
    layer.reset_state()
    for state in _numpy(layer.states):
        np.testing.assert_array_equal(state, 0)


def test_a_stateful_model_reads_on_in_predict(randomise):
    """Scenario 5: a document in two parts, as `fit` and `predict` see it."""
    x, layer = _x(), CorefGRU(UNITS, NUM_CLUSTERS, stateful=True)
    inputs = [keras.Input(batch_shape=(3, None, INPUT_DIM))]
    inputs += [keras.Input(batch_shape=(3, None), dtype="int32")]
    model = keras.Model(inputs, layer(inputs))
    randomise(model)
    want = _read_by_oracle(layer, x, CLUSTERS).outputs
    for _ in range(2):
        for part in (slice(0, 2), slice(2, TIME)):
            given = [x[:, part], CLUSTERS[:, part]]
            read = model.predict(given, batch_size=3, verbose=0)
        _assert_close([read], [want[:, -1]])
        layer.reset_state()


# --- Scenario 21


@pytest.mark.parametrize("options", [{}, {"unroll": True}], ids=str)
def test_a_stateful_layer_refuses_another_batch(make_recurrence, options):
    """Scenario 21: built for 4 and fed 1, it keeps its state."""
    recurrence = make_recurrence(UNITS, NUM_CLUSTERS, stateful=True, **options)
    x, clusters = _x(4), np.ones((4, TIME), "int32")
    recurrence(x, clusters)
    before = [np.copy(state) for state in _numpy(recurrence.layer.states)]
    assert all(abs(state).max() > 0.01 for state in before)
    with pytest.raises(ValueError, match=r"batch size: 4\s.*batch size: 1"):
        recurrence(x[:1], clusters[:1])
    for a, b in zip(_numpy(recurrence.layer.states), before, strict=True):
        np.testing.assert_array_equal(a, b)
