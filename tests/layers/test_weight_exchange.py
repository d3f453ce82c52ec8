"""The cell and the layer have the same weights and exchange them."""

import keras
import numpy as np
import pytest
from keras import ops

from keras_cgru import CorefGRU, CorefGRUCell, pack_clusters

UNITS, NUM_CLUSTERS = 6, 4
X = np.random.default_rng(0).normal(size=(2, 5, 3)).astype("float32")
CLUSTERS = np.array([[1, 2, 1, 2, 1], [3, 0, 3, 9, 3]])


@pytest.fixture(params=[True, False], ids=["bias", "no bias"])
def pair(request):
    """A stock RNN over the cell, and the layer, with weights of their own."""
    cell = CorefGRUCell(UNITS, NUM_CLUSTERS, use_bias=request.param)
    rnn = keras.layers.RNN(cell, return_sequences=True)
    layer = CorefGRU(UNITS, NUM_CLUSTERS, use_bias=request.param, return_sequences=True)
    rnn.build((2, 5, 4))
    layer.build([(2, 5, 3), (2, 5)])
    return rnn, layer


def _read(rnn, layer, compiled):
    outputs = compiled(
        lambda: (rnn(pack_clusters(X, CLUSTERS)), layer([X, CLUSTERS]))
    )()
    return [ops.convert_to_numpy(out) for out in outputs]


@pytest.mark.parametrize("source", [0, 1], ids=["cell to layer", "layer to cell"])
def test_weights_of_one_make_the_other_equal(pair, source, randomise, compiled):
    randomise(pair[source])
    before = _read(*pair, compiled)
    pair[1 - source].set_weights(pair[source].get_weights())
    after = _read(*pair, compiled)
    assert abs(before[0] - before[1]).max() > 0.01
    np.testing.assert_allclose(after[0], after[1], atol=1e-6)
    np.testing.assert_array_equal(after[source], before[source])


def test_weights_have_the_documented_order_and_shapes(pair):
    shapes = {
        "kernel": (3, 3 * UNITS),
        "recurrent_kernel": (UNITS, 3 * UNITS),
        "bias": (3 * UNITS,),
        "keys": (3, 2),
    }
    if pair[1].cell.bias is None:
        del shapes["bias"]
    for layer in pair:
        named = [(w.name, tuple(w.shape)) for w in layer.trainable_weights]
        assert named == list(shapes.items())
