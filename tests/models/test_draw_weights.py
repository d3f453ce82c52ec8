"""The released code's initial weights."""

import math

import keras
import numpy as np

from keras_cgru import CorefGRU
from keras_cgru.models import draw_weights


def _layer(**options):
    layer = CorefGRU(64, **options)
    layer.build([(None, None, 32), (None, None)])
    return layer


def _model(wrap=lambda layer: layer):
    x, clusters = keras.Input((None, 32)), keras.Input((None,), dtype="int32")
    return keras.Model([x, clusters], wrap(CorefGRU(64))([x, clusters]))


def test_distribution_of_each_weight():
    model = _model()
    draw_weights(model, seed=0)
    kernel, recurrent_kernel, bias, keys = model.get_weights()
    # Sampling leaves 2 % of these many draws' standard deviation, 10 % of 64's.
    stddev = math.sqrt(6 / (32 + 64))
    np.testing.assert_allclose(kernel.std(), stddev, rtol=0.05)
    np.testing.assert_allclose(recurrent_kernel.std(), math.sqrt(6 / 128), rtol=0.05)
    np.testing.assert_array_equal(bias, 0)
    np.testing.assert_allclose(keys.std(), 0.1, rtol=0.3)
    # Normal, not uniform: some lie beyond sqrt(3) standard deviations.
    assert (abs(kernel) > 2.5 * stddev).any()


def test_a_seed_gives_the_same_weights_everywhere():
    """The first draw of NumPy's generator, whatever the backend."""
    model = _model()
    draw_weights(model, seed=5)
    first = np.random.default_rng(5).normal(scale=math.sqrt(6 / 96), size=(32, 192))
    np.testing.assert_array_equal(model.get_weights()[0], first.astype("float32"))


def test_reaches_wrapped_and_nested_cells_and_nothing_else(build_reader):
    model = build_reader("gru")
    before = model.get_weights()
    draw_weights(model, seed=1)
    for variable, old in zip(model.weights, before, strict=True):
        is_kept = variable.path.startswith("embedding") or variable.name == "bias"
        kept = np.array_equal(keras.ops.convert_to_numpy(variable), old)
        assert kept == is_kept, variable.path
    both = _model(keras.layers.Bidirectional)
    draw_weights(both, seed=1)
    assert not np.array_equal(both.get_weights()[0], both.get_weights()[4])
