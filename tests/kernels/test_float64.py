"""In double precision the kernels equal the oracle to ten digits.

The kernels alone: `keras.ops.matmul` and others compute in single precision what they
are given in double, on JAX and PyTorch.
"""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from keras import ops
from oracle import Options, Weights, antecedent_of, oracle, oracle_gradients

from keras_cgru.kernels import find_kernel

TIME, INPUT_DIM, UNITS, NUM_CLUSTERS = 9, 3, 4, 3
DIGITS = {"rtol": 1e-10, "atol": 1e-10}


def _links(clusters, mask):
    """Steps of antecedents and successors, and where there is an antecedent."""
    batch = len(clusters)
    rows = np.tile(np.arange(TIME), (batch, 1))
    following, counts = rows.copy(), np.zeros((batch, TIME))
    for b in range(batch):
        for t in range(TIME):
            real = mask[b, t]
            args = (range(TIME), t, clusters[b], mask[b], NUM_CLUSTERS)
            found = antecedent_of(*args) if real else None
            if found is not None:
                rows[b, t], following[b, found], counts[b, t] = found, t, 1
    return rows, following, counts


def _steps(values, dtype):
    return ops.convert_to_tensor(values.T[:, :, None].astype(dtype), dtype=dtype)


@pytest.mark.usefixtures("double_precision")
@pytest.mark.parametrize("batch", [1, 6])
def test_states_and_gradients(batch, value_and_gradients):
    rng = np.random.default_rng(batch)
    x = rng.normal(size=(batch, TIME, INPUT_DIM))
    clusters = rng.integers(-1, NUM_CLUSTERS + 2, (batch, TIME))
    mask = rng.random((batch, TIME)) < 0.8
    h = rng.normal(size=(batch, UNITS))
    shapes = [(INPUT_DIM, 3 * UNITS), (UNITS, 3 * UNITS), (3 * UNITS,), (INPUT_DIM, 2)]
    weights = Weights.of([rng.normal(size=shape) for shape in shapes])
    cotangents = [rng.normal(size=(batch, TIME, UNITS))]
    rows, following, counts = _links(clusters, mask)

    def call(x, h, kernel, recurrent_kernel, bias, keys):
        states = find_kernel("coref_gru")(
            x=x,
            counts=_steps(counts, "float64"),
            rows=_steps(rows, "int32"),
            next_steps=_steps(following, "int32"),
            keep=_steps(mask, "bool"),
            keys=keys,
            kernel=kernel,
            recurrent_kernel=recurrent_kernel,
            bias=bias,
            recurrent_mask=None,
            h=h,
            first_rows=None,
        )
        return [states]

    tensors = [x.transpose(1, 0, 2), h, *weights.arrays()]
    no_layer = SimpleNamespace(trainable_variables=[])
    [states], gradients, _ = value_and_gradients(
        no_layer, call, tensors, [cotangents[0].transpose(1, 0, 2)]
    )
    assert states.dtype == "float64"
    memory = np.zeros((batch, NUM_CLUSTERS * (UNITS // 2 + 1)))
    arguments = (x, clusters, weights, Options(NUM_CLUSTERS))
    given = {"mask": mask, "initial_state": (h, memory)}
    # Outputs repeat the state at padding, as the kernel does.
    want = oracle(*arguments, **given).outputs
    np.testing.assert_allclose(states.transpose(1, 0, 2), want, **DIGITS)
    zeros = [np.zeros_like(h), memory]
    wanted = oracle_gradients(*arguments, [*cotangents, *zeros], **given)
    d_x, d_h, *d_weights = gradients
    np.testing.assert_allclose(d_x.transpose(1, 0, 2), wanted.x, **DIGITS)
    np.testing.assert_allclose(d_h, wanted.h, **DIGITS)
    for got, array in zip(d_weights, wanted.weights.arrays(), strict=True):
        np.testing.assert_allclose(got, array, **DIGITS)
