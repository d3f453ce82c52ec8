"""Both directions: equal to the oracle, and blind to padding (scenario 4)."""

import keras
import numpy as np
import pytest
from keras import ops
from oracle import Options, Weights, bidirectional, oracle, oracle_gradients

BATCH, TIME, INPUT_DIM, UNITS, NUM_CLUSTERS = 3, 6, 3, 4, 3
CLUSTERS = np.array([[1, 2, 1, 0, 2, 1], [3, 3, 5, 3, 0, 1], [0, 0, 2, -1, 2, 2]])
MASK = np.array(
    [[1, 1, 1, 1, 1, 1], [1, 1, 1, 1, 0, 0], [0, 1, 1, 0, 1, 1]], dtype=bool
)
FORWARD = Options(NUM_CLUSTERS, zero_output_for_mask=True)
BACKWARD = Options(NUM_CLUSTERS, zero_output_for_mask=True, go_backwards=True)
TOLERANCE = {"rtol": 1e-5, "atol": 1e-5}


@pytest.fixture(scope="module")
def reader(make_recurrence, randomise):
    """A bidirectional recurrence that gives sequences and states."""
    recurrence = make_recurrence(
        UNITS, NUM_CLUSTERS, return_sequences=True, return_state=True
    ).wrapped(keras.layers.Bidirectional)
    recurrence.build((BATCH, TIME, INPUT_DIM))
    randomise(recurrence.layer)
    return recurrence


@pytest.fixture(scope="module")
def x():
    rng = np.random.default_rng(5)
    return rng.normal(size=(BATCH, TIME, INPUT_DIM)).astype("float32")


def _weights(layer):
    return [
        Weights.of(one.get_weights())
        for one in (layer.forward_layer, layer.backward_layer)
    ]


def test_outputs_states_and_gradients(reader, x, value_and_gradients):
    rng = np.random.default_rng(6)
    size = NUM_CLUSTERS * (UNITS // 2 + 1)
    shapes = [(BATCH, TIME, 2 * UNITS), *[(BATCH, s) for s in (UNITS, size) * 2]]
    given = [rng.normal(size=shape).astype("float32") for shape in shapes]
    got, d_tensors, d_weights = value_and_gradients(
        reader.layer, lambda x: reader(x, CLUSTERS, mask=MASK), [x], given
    )
    halves = given[0][..., :UNITS], given[0][:, ::-1, UNITS:]
    cotangents = [halves[0], *given[1:3]], [halves[1], *given[3:]]
    reads, gradients = [], []
    for weights, options, one in zip(
        _weights(reader.layer), (FORWARD, BACKWARD), cotangents, strict=True
    ):
        reads.append(oracle(x, CLUSTERS, weights, options, mask=MASK))
        gradients.append(
            oracle_gradients(x, CLUSTERS, weights, options, one, mask=MASK)
        )
    want = [bidirectional(reads[0].outputs, reads[1].outputs)]
    want += [part for read in reads for part in (read.h, read.memory)]
    for a, b in zip(got, want, strict=True):
        np.testing.assert_allclose(a, b, **TOLERANCE)
    np.testing.assert_allclose(d_tensors[0], sum(g.x for g in gradients), **TOLERANCE)
    wanted = [w for g in gradients for w in g.weights.arrays()]
    for a, b in zip(d_weights, wanted, strict=True):
        np.testing.assert_allclose(a, b, **TOLERANCE)


def test_right_padding_changes_no_real_output(reader, x):
    """Scenario 4: a document with 0 and with 7 pads, whatever stands in the pads."""
    rng = np.random.default_rng(7)
    pads = rng.normal(size=(BATCH, 7, INPUT_DIM)).astype("float32")
    # Ids of clusters of the document: a pad must not become anyone's antecedent.
    pad_clusters = rng.integers(0, NUM_CLUSTERS + 1, (BATCH, 7))
    mask = np.repeat([[True] * TIME + [False] * 7], BATCH, axis=0)
    plain = reader.read(x, CLUSTERS)
    padded = reader.read(
        np.concatenate([x, pads], axis=1),
        np.concatenate([CLUSTERS, pad_clusters], axis=1),
        mask=mask,
    )
    plain, padded = (
        [ops.convert_to_numpy(p) for p in read] for read in (plain, padded)
    )
    padded[0] = padded[0][:, :TIME]
    for a, b in zip(padded, plain, strict=True):
        np.testing.assert_allclose(a, b, atol=1e-6)


def test_the_backward_direction_links_to_the_next_mention(reader, x):
    """Scenario 4: read backwards, the antecedent of a mention is the one after it."""
    clusters = np.array([[1, 0, 1, 0, 0, 1]] * BATCH)
    before = ops.convert_to_numpy(reader.read(x, clusters)[0])[..., UNITS:]
    # Token 5 is then no mention; token 2 loses its antecedent, token 0 does not.
    unlinked = np.array([[1, 0, 1, 0, 0, 0]] * BATCH)
    after = ops.convert_to_numpy(reader.read(x, unlinked)[0])[..., UNITS:]
    moved = abs(before - after).max(axis=(0, 2)) > 1e-4
    np.testing.assert_array_equal(moved, [True, True, True, False, False, False])
