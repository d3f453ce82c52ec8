"""The oracle itself: its gradients against finite differences, its links by hand."""

import numpy as np
import pytest
from oracle import Options, Weights, antecedent_of, oracle, oracle_gradients

BATCH, TIME, INPUT_DIM, UNITS, NUM_CLUSTERS = 4, 5, 2, 4, 3
CLUSTERS = np.array(
    [[1, 2, 1, 0, 1], [3, 3, 9, 3, 2], [0, -1, 0, 4, 0], [2, 2, 1, 2, 1]]
)
MASK = np.array(
    [[1, 1, 1, 1, 1], [1, 1, 1, 1, 0], [0, 1, 1, 1, 1], [1, 0, 1, 1, 0]], bool
)


def _problem(options, use_bias=True):
    """Everything that the loss depends on, by name, and the loss itself."""
    rng = np.random.default_rng(3)
    shapes = {
        "kernel": (INPUT_DIM, 3 * UNITS),
        "recurrent_kernel": (UNITS, 3 * UNITS),
        "bias": (3 * UNITS,),
        "keys": (INPUT_DIM, 2),
        "x": (BATCH, TIME, INPUT_DIM),
        "h": (BATCH, UNITS),
    }
    given = {name: rng.normal(size=shape) for name, shape in shapes.items()}
    if not use_bias:
        given["bias"] = None
    memory = rng.normal(size=(BATCH, NUM_CLUSTERS, UNITS // 2 + 1))
    memory[..., -1] = rng.integers(0, 2, size=memory.shape[:2])
    given["memory"] = memory.reshape(BATCH, -1)
    cotangents = [
        rng.normal(size=size)
        for size in ((BATCH, TIME, UNITS), (BATCH, UNITS), given["memory"].shape)
    ]

    def loss():
        weights = Weights(
            *(given[name] for name in ("kernel", "recurrent_kernel", "bias", "keys"))
        )
        state = given["h"], given["memory"]
        read = oracle(
            given["x"], CLUSTERS, weights, options, mask=MASK, initial_state=state
        )
        parts = (read.outputs, read.h, read.memory)
        return sum((a * b).sum() for a, b in zip(parts, cotangents, strict=True))

    return given, cotangents, loss


def _central_differences(array, loss, step=1e-6):
    slopes = np.zeros_like(array)
    for index in np.ndindex(array.shape):
        kept = array[index]
        array[index] = kept + step
        above = loss()
        array[index] = kept - step
        slopes[index] = (above - loss()) / (2 * step)
        array[index] = kept
    return slopes


@pytest.mark.parametrize(
    ("options", "use_bias"),
    [
        ({}, True),
        ({"go_backwards": True}, True),
        ({"zero_output_for_mask": True}, False),
        ({"activation": "softsign", "recurrent_activation": "hard_sigmoid"}, True),
    ],
    ids=["forwards", "backwards", "zero output, no bias", "other activations"],
)
def test_gradients_equal_central_differences(options, use_bias):
    options = Options(NUM_CLUSTERS, **options)
    given, cotangents, loss = _problem(options, use_bias)
    weights = Weights(
        *(given[name] for name in ("kernel", "recurrent_kernel", "bias", "keys"))
    )
    gradients = oracle_gradients(
        given["x"],
        CLUSTERS,
        weights,
        options,
        cotangents,
        mask=MASK,
        initial_state=(given["h"], given["memory"]),
    )
    found = {**vars(gradients), **vars(gradients.weights)}
    flags = np.zeros(given["memory"].shape, bool)
    flags.reshape(BATCH, NUM_CLUSTERS, -1)[..., -1] = True
    for name, array in given.items():
        if array is None:
            continue
        slopes = _central_differences(array, loss)
        if name == "memory":
            # A flag decides about a link, which has no slope at 0.
            slopes, found[name] = slopes[~flags], found[name][~flags]
        np.testing.assert_allclose(found[name], slopes, atol=2e-8, err_msg=name)


@pytest.mark.parametrize(
    ("clusters", "mask", "order", "antecedents"),
    [
        ([1, 2, 1, 1, 2], [1, 1, 1, 1, 1], [0, 1, 2, 3, 4], [None, None, 0, 2, 1]),
        # Backwards, positions count from the end: token 4, 3, 2, 1, 0.
        ([1, 2, 1, 1, 2], [1, 1, 1, 1, 1], [4, 3, 2, 1, 0], [None, None, 1, 0, 2]),
        # A masked token is nobody's antecedent.
        ([1, 1, 1, 0, 0], [1, 0, 1, 1, 1], [0, 1, 2, 3, 4], [None, 0, 0, None, None]),
        ([0, 0, 3, -1, 3], [1, 1, 1, 1, 1], [0, 1, 2, 3, 4], [None] * 5),
    ],
    ids=["forwards", "backwards", "masked", "no link"],
)
def test_antecedents_by_hand(clusters, mask, order, antecedents):
    found = [antecedent_of(order, t, clusters, mask, num_clusters=2) for t in range(5)]
    assert found == antecedents
