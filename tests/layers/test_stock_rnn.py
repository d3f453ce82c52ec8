"""`keras.layers.RNN` over the cell, in the documented form (scenario 2)."""

import keras
import numpy as np
import pytest
from keras import ops
from oracle import Options, Weights, bidirectional, oracle

from keras_cgru import CorefGRUCell, pack_clusters

BATCH, TIME, INPUT_DIM, UNITS, NUM_CLUSTERS = 4, 5, 3, 4, 3
RNG = np.random.default_rng(2)
X = RNG.normal(size=(BATCH, TIME, INPUT_DIM)).astype("float32")
CLUSTERS = RNG.integers(0, NUM_CLUSTERS + 2, (BATCH, TIME)).astype("int32")


def _rnn(**options):
    return keras.layers.RNN(CorefGRUCell(UNITS, NUM_CLUSTERS), **options)


def _functional(layer):
    x = keras.Input((None, INPUT_DIM))
    clusters = keras.Input((None,), dtype="int32")
    return keras.Model([x, clusters], layer(pack_clusters(x, clusters)))


def _want(layer, go_backwards=False):
    options = Options(NUM_CLUSTERS, go_backwards=go_backwards)
    return oracle(X, CLUSTERS, Weights.of(layer.get_weights()), options).outputs


def test_eager(randomise):
    """Scenario 2."""
    layer = _rnn(return_sequences=True)
    packed = pack_clusters(X, CLUSTERS)
    assert tuple(packed.shape) == (BATCH, TIME, INPUT_DIM + 1)
    np.testing.assert_array_equal(ops.convert_to_numpy(packed)[..., -1], CLUSTERS)
    layer.build(packed.shape)
    randomise(layer)
    np.testing.assert_allclose(
        ops.convert_to_numpy(layer(packed)), _want(layer), atol=1e-5
    )


def test_functional_bidirectional(randomise):
    """Scenario 2."""
    layer = keras.layers.Bidirectional(_rnn(return_sequences=True))
    model = _functional(layer)
    randomise(model)
    want = bidirectional(_want(layer.forward_layer), _want(layer.backward_layer, True))
    predicted = model.predict([X, CLUSTERS], verbose=0)
    np.testing.assert_allclose(predicted, want, atol=1e-5)


def test_fit_trains_every_weight():
    """Scenario 2: the loss of `fit` falls and all four weights move."""
    model = _functional(_rnn())
    model.compile(keras.optimizers.Adam(0.05), "mse")
    before = model.get_weights()
    target = np.random.default_rng(3).uniform(-0.5, 0.5, (BATCH, UNITS))
    losses = model.fit([X, CLUSTERS], target, epochs=25, verbose=0).history["loss"]
    assert losses[-1] < 0.5 * losses[0]
    moved = [abs(a - b).max() for a, b in zip(model.get_weights(), before, strict=True)]
    assert min(moved) > 1e-3


@pytest.mark.parametrize("wrap", [lambda rnn: rnn, keras.layers.Bidirectional])
def test_nested_input_error_names_the_supported_form(wrap):
    """Scenario 2: stock `RNN` cannot split two sequences into steps."""
    with pytest.raises(ValueError, match=r"pack_clusters.*[Rr]eceived"):
        wrap(_rnn())((X, CLUSTERS))
