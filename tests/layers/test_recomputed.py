"""A forward pass that is thrown away and computed again gives the same gradients."""

import keras
import numpy as np
import pytest
from keras import ops
from layers.harness import CLUSTERS, NUM_CLUSTERS, UNITS, X, inputs_of

from keras_cgru import CorefGRU

BACKEND = keras.backend.backend()


def trained(mode):
    """Weights after two steps, with or without `keras.RematScope`."""
    keras.utils.set_random_seed(0)
    inputs = inputs_of()
    with keras.RematScope(mode):
        layer = keras.layers.Bidirectional(CorefGRU(UNITS, NUM_CLUSTERS))
        model = keras.Model(inputs, layer(inputs))
    model.compile(keras.optimizers.SGD(0.1), "mse")
    target = np.ones((len(X), 2 * UNITS), "float32")
    model.fit([X, CLUSTERS], target, epochs=2, shuffle=False, verbose=0)
    return model.get_weights()


def test_remat_scope():
    if BACKEND != "torch":
        pytest.skip(
            "Keras 3.15.1 cannot train its own GRU in RematScope('full') on JAX and "
            "TensorFlow: https://github.com/keras-team/keras/blob/v3.15.1/keras/src/"
            "layers/layer.py (rematerialized_call)"
        )
    for got, want in zip(trained("full"), trained(None), strict=True):
        np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("use_kernel", [True, False])
def test_the_backends_own_way(use_kernel, randomise, value_and_gradients):
    layer = CorefGRU(UNITS, NUM_CLUSTERS, use_kernel=use_kernel)
    layer.build([X.shape, CLUSTERS.shape])
    randomise(layer)
    cotangent = [np.ones((len(X), UNITS), "float32")]

    def call(x):
        return layer([x, ops.convert_to_tensor(CLUSTERS)])

    def recomputed(x):
        if BACKEND == "jax":
            import jax

            return jax.checkpoint(call)(x)
        if BACKEND == "tensorflow":
            import tensorflow as tf

            return tf.recompute_grad(call)(x)
        from torch.utils.checkpoint import checkpoint

        return checkpoint(call, x, use_reentrant=False)

    want, got = (
        value_and_gradients(layer, lambda x, f=function: [f(x)], [X], cotangent)[1]
        for function in (call, recomputed)
    )
    np.testing.assert_allclose(got[0], want[0], rtol=1e-6, atol=1e-6)
