"""Every way to call the layer that a kernel can serve is served by it."""

from __future__ import annotations

from pathlib import Path

import keras
import numpy as np
import pytest

from keras_cgru import CorefGRU
from keras_cgru.layers import coref_cell

TESTS = Path(__file__).resolve().parents[1]
BATCH, TIME, INPUT_DIM, UNITS, NUM_CLUSTERS = 2, 5, 3, 4, 3
BACKEND = keras.backend.backend()


@pytest.fixture
def calls(monkeypatch):
    """The number of steps of each pass of a kernel."""
    kernel, lengths = coref_cell.find_kernel("coref_gru"), []

    def spy(**arguments):
        lengths.append(arguments["rows"].shape[0])
        return kernel(**arguments)

    monkeypatch.setattr(coref_cell, "find_kernel", lambda cell: spy)
    return lengths


@pytest.fixture(scope="module")
def inputs():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(BATCH, TIME, INPUT_DIM)).astype("float32")
    return [x, rng.integers(0, NUM_CLUSTERS + 1, (BATCH, TIME)).astype("int32")]


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"return_state": True},
        {"return_sequences": True, "go_backwards": True},
        {"stateful": True},
        {"dropout": 0.5, "recurrent_dropout": 0.5},
        {"dtype": "mixed_bfloat16"},
        {"use_kernel": True},
    ],
    ids=str,
)
def test_call(calls, inputs, options):
    CorefGRU(UNITS, NUM_CLUSTERS, **options)(inputs, training=True)
    assert calls == [TIME]


def test_initial_state(calls, inputs):
    layer = CorefGRU(UNITS, NUM_CLUSTERS, return_state=True)
    _, *states = layer(inputs)
    layer(inputs, initial_state=states)
    assert calls == [TIME, TIME]


def test_bidirectional_and_fit(calls, inputs):
    x, ids = keras.Input((TIME, INPUT_DIM)), keras.Input((TIME,), dtype="int32")
    y = keras.layers.Bidirectional(CorefGRU(UNITS, NUM_CLUSTERS))([x, ids])
    model = keras.Model([x, ids], keras.layers.Dense(1)(y))
    model.compile("sgd", "mse")
    before = len(calls)
    model.fit(inputs, np.ones((BATCH, 1)), verbose=0)
    assert len(calls) >= before + 2 and set(calls[before:]) == {TIME}


@pytest.mark.parametrize("options", [{"use_kernel": False}, {"unroll": True}])
def test_not_where_it_is_not_wanted(calls, inputs, options):
    CorefGRU(UNITS, NUM_CLUSTERS, **options)(inputs)
    assert calls == []


@pytest.mark.skipif(BACKEND != "torch", reason="only PyTorch's kernel is told")
def test_nothing_is_kept_for_a_gradient_that_nobody_takes(monkeypatch, inputs):
    from keras_cgru.kernels import coref_gru_torch

    kept, forward = [], coref_gru_torch._forward

    def spy(arguments, links, save):
        kept.append(save)
        return forward(arguments, links, save)

    monkeypatch.setattr(coref_gru_torch, "_forward", spy)
    x, ids = keras.Input((TIME, INPUT_DIM)), keras.Input((TIME,), dtype="int32")
    model = keras.Model([x, ids], CorefGRU(UNITS, NUM_CLUSTERS)([x, ids]))
    model.compile("sgd", "mse")
    kept.clear()
    model.predict(inputs, verbose=0)
    assert kept == [False]
    model.fit(inputs, np.ones((BATCH, UNITS)), verbose=0)
    assert kept[-1] is True


@pytest.mark.skipif(BACKEND != "jax", reason="other backends optimise in all tests")
def test_the_optimised_program_equals_the_oracle(run_python):
    """The tests have most of XLA's optimisations off, users have not."""
    script = f"""
import os, sys
os.environ.pop("JAX_DISABLE_MOST_OPTIMIZATIONS", None)
sys.path.insert(0, {str(TESTS)!r})
import jax, keras, numpy as np
from keras_cgru import CorefGRU
from oracle import Options, Weights, oracle, oracle_gradients

rng = np.random.default_rng(0)
x = rng.normal(size=(6, 9, 3)).astype("float32")
ids = rng.integers(-1, 6, (6, 9)).astype("int32")
mask = rng.random((6, 9)) < 0.8
layer = CorefGRU(8, 4, return_sequences=True)
layer.build([x.shape, ids.shape])
layer.set_weights([rng.normal(size=w.shape) for w in layer.get_weights()])
cotangent = rng.normal(size=(6, 9, 8)).astype("float32")

def loss(values):
    with keras.StatelessScope(list(zip(layer.trainable_variables, values))):
        outputs = layer([x, ids], mask=mask)
    return (outputs * cotangent).sum(), outputs

values = [variable.value for variable in layer.trainable_variables]
(_, outputs), got = jax.jit(jax.value_and_grad(loss, has_aux=True))(values)
arguments = (x, ids, Weights.of(layer.get_weights()), Options(4))
want = oracle(*arguments, mask=mask)
np.testing.assert_allclose(outputs, want.outputs, rtol=1e-5, atol=1e-5)
zeros = [np.zeros_like(want.h), np.zeros_like(want.memory)]
wanted = oracle_gradients(*arguments, [cotangent, *zeros], mask=mask)
for mine, its in zip(got, wanted.weights.arrays(), strict=True):
    np.testing.assert_allclose(mine, its, rtol=1e-4, atol=1e-4)
print("equal")
"""
    assert run_python(script).split() == ["equal"]
