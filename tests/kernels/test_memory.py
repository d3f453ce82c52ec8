"""The memory of a gradient: as XLA lays it out, and what PyTorch keeps for it."""

from __future__ import annotations

import json

import keras
import numpy as np
import pytest

from keras_cgru import CorefGRU

TIMES, CLUSTERS = (500, 1000, 2000), (5, 50)

# Printed is, for each number of clusters and length, the size of all buffers in bytes.
PROGRAM = f"""
import json, os
os.environ.pop("JAX_DISABLE_MOST_OPTIMIZATIONS", None)
import jax, jax.numpy as jnp
from keras_cgru import CorefGRU

def size(clusters, time):
    layer = CorefGRU(64, clusters, return_sequences=True)
    x, ids = jnp.zeros((16, time, 64)), jnp.zeros((16, time), "int32")
    layer.build([x.shape, ids.shape])
    weights = [variable.value for variable in layer.trainable_variables]
    others = [variable.value for variable in layer.non_trainable_variables]

    def loss(weights, x, ids):
        outputs, _ = layer.stateless_call(weights, others, [x, ids])
        return (outputs**2).sum()

    program = jax.jit(jax.grad(loss, argnums=(0, 1))).lower(weights, x, ids)
    return program.compile().memory_analysis().temp_size_in_bytes

print(json.dumps([[size(c, t) for t in {TIMES}] for c in {CLUSTERS}]))
"""


@pytest.mark.skipif(
    keras.backend.backend() != "jax", reason="only JAX tells the size of its buffers"
)
def test_memory_grows_with_the_text_and_not_with_the_clusters(run_python):
    few, many = json.loads(run_python(PROGRAM).splitlines()[-1])
    # Shown with -s, for docs/results/speed.md.
    print(f"bytes at time {TIMES}: {CLUSTERS[0]} clusters {few}, {CLUSTERS[1]} {many}")
    states = 16 * 64 * 4
    for time, small, large in zip(TIMES, few, many, strict=True):
        # The states alone need so much: the figure is one of the buffers.
        assert small > time * states
        assert large <= 1.05 * small
    growth = [(few[1] - few[0]) / 500, (few[2] - few[1]) / 1000]
    assert growth[1] == pytest.approx(growth[0], rel=0.05)


@pytest.mark.skipif(
    keras.backend.backend() != "torch", reason="only PyTorch shows what it keeps"
)
def test_what_is_kept_grows_with_the_text_and_not_with_the_clusters():
    import torch

    def kept(clusters, time):
        layer = CorefGRU(8, clusters, return_sequences=True)
        rng = np.random.default_rng(0)
        x = rng.normal(size=(2, time, 8)).astype("float32")
        sizes = {}

        def keep(tensor):
            storage = tensor.untyped_storage()
            sizes[storage.data_ptr()] = storage.nbytes()
            return tensor

        with torch.autograd.graph.saved_tensors_hooks(keep, lambda tensor: tensor):
            states = layer([x, rng.integers(0, clusters + 1, (2, time))])
        assert states.requires_grad
        return sum(sizes.values())

    few, many = (
        [kept(clusters, time) for time in (50, 100, 200)] for clusters in CLUSTERS
    )
    assert few == many
    assert few[2] - few[1] == 2 * (few[1] - few[0]) > 0
