"""Derivatives beyond the gradient: the right ones, or an error that says what to do."""

import keras
import numpy as np
import pytest

from keras_cgru import CorefGRU

BACKEND = keras.backend.backend()
RNG = np.random.default_rng(0)
X = RNG.normal(size=(2, 5, 3)).astype("float32")
DIRECTION = RNG.normal(size=X.shape).astype("float32")
CLUSTERS = np.array([[1, 2, 1, 3, 1], [2, 2, 0, 3, 2]], "int32")
REFUSED = "use_kernel=False"


@pytest.fixture
def make(randomise):
    def built(use_kernel):
        layer = CorefGRU(4, 3, use_kernel=use_kernel, return_sequences=True)
        layer.build([X.shape, CLUSTERS.shape])
        randomise(layer)
        return layer

    return built


def jax_function(layer, clusters=CLUSTERS):
    weights = [variable.value for variable in layer.trainable_variables]
    others = [variable.value for variable in layer.non_trainable_variables]

    def function(x, weights=weights):
        return layer.stateless_call(weights, others, [x, clusters])[0].sum()

    return function, weights


def penalty_gradient(layer):
    """Of sum((dy/dx)^2), y the sum of all outputs, for the keys."""
    if BACKEND == "jax":
        import jax

        function, weights = jax_function(layer)

        def penalty(weights):
            return (jax.grad(function)(X, weights) ** 2).sum()

        return jax.jit(jax.grad(penalty))(weights)[3]
    keys = layer.cell.keys.value
    if BACKEND == "tensorflow":
        import tensorflow as tf

        x = tf.constant(X)
        with tf.GradientTape() as outer:
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = tf.reduce_sum(layer([x, CLUSTERS]))
            penalty = tf.reduce_sum(inner.gradient(y, x) ** 2)
        return outer.gradient(penalty, keys)
    import torch

    x = torch.tensor(X, requires_grad=True)
    y = layer([x, CLUSTERS]).sum()
    (slope,) = torch.autograd.grad(y, x, create_graph=True)
    return torch.autograd.grad((slope**2).sum(), keys)[0]


def forward_mode(layer):
    """The derivative of the sum of all outputs in one direction."""
    if BACKEND == "jax":
        import jax

        return jax.jvp(jax_function(layer)[0], (X,), (DIRECTION,))[1]
    if BACKEND == "tensorflow":
        import tensorflow as tf

        x = tf.constant(X)
        with tf.autodiff.ForwardAccumulator(x, tf.constant(DIRECTION)) as forward:
            y = tf.reduce_sum(layer([x, CLUSTERS]))
        return forward.jvp(y)
    import torch
    from torch.autograd import forward_ad

    with forward_ad.dual_level():
        x = forward_ad.make_dual(torch.tensor(X), torch.tensor(DIRECTION))
        return forward_ad.unpack_dual(layer([x, CLUSTERS]).sum()).tangent


def test_second_derivatives(make):
    """JAX's are right; the other kernels refuse, and stock `RNN` has them."""
    want = keras.ops.convert_to_numpy(penalty_gradient(make(False)))
    assert abs(want).max() > 1e-2
    if BACKEND == "jax":
        got = keras.ops.convert_to_numpy(penalty_gradient(make(True)))
        np.testing.assert_allclose(got, want, rtol=1e-4, atol=1e-5)
        return
    with pytest.raises(NotImplementedError, match=REFUSED):
        penalty_gradient(make(True))


def test_forward_mode(make):
    """Every kernel refuses; without, it equals the gradient that a kernel gives."""
    with pytest.raises(NotImplementedError, match=REFUSED):
        forward_mode(make(True))
    got = float(keras.ops.convert_to_numpy(forward_mode(make(False))))
    step = 1e-2 * DIRECTION
    layer = make(True)
    above, below = (
        keras.ops.convert_to_numpy(layer([X + sign * step, CLUSTERS])).sum()
        for sign in (1, -1)
    )
    assert got == pytest.approx((above - below) / 2e-2, rel=1e-2)


@pytest.mark.skipif(BACKEND != "jax", reason="the other kernels refuse")
def test_second_derivatives_of_one_row(make):
    """JAX's kernel reads it twice."""
    import jax

    products = []
    for use_kernel in (True, False):
        function, _ = jax_function(make(use_kernel), CLUSTERS[:1])

        def product(x, function=function):
            return jax.jvp(jax.grad(function), (x,), (jax.numpy.ones_like(x),))[1]

        products.append(jax.jit(product)(X[:1]))
    assert abs(products[1]).max() > 1e-2
    np.testing.assert_allclose(*products, rtol=1e-3, atol=1e-4)


@pytest.mark.skipif(BACKEND != "torch", reason="names PyTorch's transforms")
def test_transforms_of_torch_func(make):
    import torch

    layer = make(True)
    with pytest.raises(NotImplementedError, match=REFUSED):
        torch.func.grad(lambda x: layer([x, CLUSTERS]).sum())(torch.tensor(X))
