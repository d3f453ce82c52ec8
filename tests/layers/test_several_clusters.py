"""Tokens in several clusters, and tokens that read and write different ones.

The reference below keeps every state and looks the antecedents up by position, as
`oracle` does for one cluster a token; it knows no memory.
"""

from __future__ import annotations

import numpy as np
import pytest
from keras import ops
from oracle import Options, Weights, oracle

from keras_cgru import CorefGRU, CorefGRUCell, pack_clusters

BATCH, TIME, INPUT_DIM, UNITS, NUM_CLUSTERS = 5, 7, 3, 4, 4
TOLERANCE = {"rtol": 1e-5, "atol": 1e-5}


def reference(x, reads, writes, mask, weights, backwards=False):
    """Outputs `(batch, time, units)` in reading order, with zero initial states."""
    outputs = []
    for row, row_reads, row_writes, row_mask in zip(
        x.astype("float64"), reads, writes, mask, strict=True
    ):
        order = range(TIME)[::-1] if backwards else range(TIME)
        seen: list[tuple[set, np.ndarray]] = []
        h, states = np.zeros(UNITS), []
        for token in order:
            if row_mask[token]:
                antecedents = [
                    found
                    for cluster in in_range(row_reads[token])
                    if (found := latest(seen, cluster)) is not None
                ]
                h = step(row[token], h, antecedents, weights)
                seen.append((in_range(row_writes[token]), h[UNITS // 2 :]))
            states.append(h)
        outputs.append(states)
    return np.array(outputs)


def in_range(ids):
    return {int(i) for i in np.atleast_1d(ids) if 1 <= i <= NUM_CLUSTERS}


def latest(seen, cluster):
    return next((half for written, half in reversed(seen) if cluster in written), None)


def step(x, h, antecedents, weights):
    """The softmax has the sequential key once and the other for each antecedent."""
    half = UNITS // 2
    scores = np.array([x @ weights.keys[:, 0], *[x @ weights.keys[:, 1]] * 9])
    scores = scores[: 1 + len(antecedents)]
    attention = np.exp(scores) / np.exp(scores).sum()
    mixed = sum(
        (w * a for w, a in zip(attention[1:], antecedents, strict=True)), np.zeros(half)
    )
    m = np.concatenate([attention[0] * h[:half], mixed])
    wx, um = x @ weights.kernel + weights.bias, m @ weights.recurrent_kernel
    r, z = (
        1 / (1 + np.exp(-wx[i : i + UNITS] - um[i : i + UNITS])) for i in (0, UNITS)
    )
    candidate = np.tanh(wx[2 * UNITS :] + r * um[2 * UNITS :])
    return (1 - z) * m + z * candidate


@pytest.fixture(scope="module")
def batch():
    rng = np.random.default_rng(3)
    x = rng.normal(size=(BATCH, TIME, INPUT_DIM)).astype("float32")
    # Ids repeat within a token, and some are out of range.
    ids = rng.integers(-1, NUM_CLUSTERS + 2, (BATCH, TIME, 3)).astype("int32")
    mask = rng.random((BATCH, TIME)) < 0.8
    return x, ids, mask


@pytest.fixture(params=["kernel", "stock RNN in the layer", "cell"])
def read(request):
    """Outputs of one of the implementations, and its weights."""

    def run(inputs, mask, backwards=False):
        shared = {"return_sequences": True, "go_backwards": backwards}
        if request.param == "cell":
            import keras

            cell = CorefGRUCell(
                UNITS,
                NUM_CLUSTERS,
                clusters_per_token=inputs[1].shape[-1],
                separate_writes=len(inputs) == 3,
            )
            if backwards:  # the caller's part, where `RNN` reads backwards
                inputs = [inputs[0], *inputs[:0:-1]]
            layer = keras.layers.RNN(cell, **shared)
            inputs = pack_clusters(*inputs)
        else:
            use_kernel = "auto" if request.param == "kernel" else False
            layer = CorefGRU(UNITS, NUM_CLUSTERS, use_kernel=use_kernel, **shared)
        outputs = ops.convert_to_numpy(layer(inputs, mask=mask))
        return outputs, Weights.of(layer.get_weights())

    return run


@pytest.mark.parametrize("backwards", [False, True])
def test_nested_mentions(batch, read, backwards):
    x, ids, mask = batch
    outputs, weights = read([x, ids], mask, backwards)
    wanted = reference(x, ids, ids, mask, weights, backwards)
    real = mask[:, ::-1] if backwards else mask
    np.testing.assert_allclose(outputs[real], wanted[real], **TOLERANCE)


def test_one_id_a_token_is_the_paper(batch, read):
    x, ids, mask = batch
    outputs, weights = read([x, ids[:, :, :1]], mask)
    wanted = oracle(x, ids[:, :, 0], weights, Options(NUM_CLUSTERS), mask=mask).outputs
    np.testing.assert_allclose(outputs[mask], wanted[mask], **TOLERANCE)


@pytest.mark.parametrize("backwards", [False, True])
def test_released_form(batch, read, backwards):
    """A mention is read at the token met first and written at that met last."""
    x, ids, mask = batch
    reads, writes = ids[:, :, :1], ids[:, :, 1:2]
    outputs, weights = read([x, reads, writes], mask, backwards)
    if backwards:
        reads, writes = writes, reads
    wanted = reference(x, reads, writes, mask, weights, backwards)
    real = mask[:, ::-1] if backwards else mask
    np.testing.assert_allclose(outputs[real], wanted[real], **TOLERANCE)


def test_released_form_in_both_directions():
    """A mention of two tokens is no antecedent of itself, from neither side."""
    import keras

    x = np.random.default_rng(0).normal(size=(1, TIME, INPUT_DIM)).astype("float32")
    layer = keras.layers.Bidirectional(
        CorefGRU(UNITS, NUM_CLUSTERS, return_sequences=True)
    )
    none = np.zeros((1, TIME), "int32")
    first, last, other = none.copy(), none.copy(), none.copy()
    first[0, 1], last[0, 2], other[0, 5] = 1, 1, 1
    alone = ops.convert_to_numpy(layer([x, first, last]))
    without = ops.convert_to_numpy(layer([x, none, none]))
    np.testing.assert_allclose(alone, without, atol=1e-6)
    # With a second mention, token 5, it is read forwards there and backwards here.
    both = ops.convert_to_numpy(layer([x, first + other, last + other]))
    changed = np.abs(both - without).max(axis=0) > 1e-4
    assert np.flatnonzero(changed[:, :UNITS].any(axis=1)).tolist() == [5, 6]
    assert np.flatnonzero(changed[:, UNITS:].any(axis=1)).tolist() == [0, 1, 2]


def test_where_the_released_form_differs_from_the_paper():
    """Mentions of one token: the same. Of three tokens: from the second one on.

    In the paper's form the second token of a mention has its first as antecedent; in
    the released form only the first token reads, and only the last is read.
    """
    rng = np.random.default_rng(0)
    x = rng.normal(size=(1, TIME, INPUT_DIM)).astype("float32")
    single = np.array([[1, 0, 0, 0, 1, 0, 0]])
    long = np.array([[1, 1, 1, 0, 1, 1, 0]])
    first = np.array([[1, 0, 0, 0, 1, 0, 0]])
    last = np.array([[0, 0, 1, 0, 0, 1, 0]])
    paper = CorefGRU(UNITS, NUM_CLUSTERS, return_sequences=True)
    released = CorefGRU(UNITS, NUM_CLUSTERS, return_sequences=True)
    paper([x, single]), released([x, single, single])
    released.set_weights(paper.get_weights())
    same = ops.convert_to_numpy(released([x, single, single]))
    wanted = ops.convert_to_numpy(paper([x, single]))
    np.testing.assert_allclose(same, wanted, atol=1e-6)
    difference = ops.convert_to_numpy(released([x, first, last]) - paper([x, long]))
    difference = np.abs(difference).max(axis=(0, 2))
    assert difference[0] < 1e-6
    assert (difference[1:] > 1e-4).all()


@pytest.mark.parametrize("backwards", [False, True])
def test_gradients_of_the_kernel_are_those_of_the_cell(
    batch, value_and_gradients, backwards
):
    """The kernels' are written by hand; the cell's are automatic."""
    x, ids, mask = batch
    rng = np.random.default_rng(1)
    h = rng.normal(size=(BATCH, UNITS)).astype("float32")
    memory = rng.normal(size=(BATCH, NUM_CLUSTERS, UNITS // 2 + 1)).astype("float32")
    memory[:, :, -1] = rng.random((BATCH, NUM_CLUSTERS)) < 0.5
    memory *= memory[:, :, -1:]
    tensors = [x, h, memory.reshape(BATCH, -1)]
    shapes = [(BATCH, TIME, UNITS), (BATCH, UNITS), tensors[2].shape]
    cotangents = [rng.normal(size=shape).astype("float32") for shape in shapes]
    results, layers = [], []
    for use_kernel in (True, False):
        layer = CorefGRU(
            UNITS,
            NUM_CLUSTERS,
            use_kernel=use_kernel,
            return_sequences=True,
            return_state=True,
            zero_output_for_mask=True,
            go_backwards=backwards,
        )
        layer.build([x.shape, ids.shape])
        layers.append(layer)
        layer.set_weights(layers[0].get_weights())

        def call(x, *states, layer=layer):
            return list(layer([x, ids], initial_state=list(states), mask=mask))

        results.append(value_and_gradients(layer, call, tensors, cotangents))
    for of_kernel, of_cell in zip(*results, strict=True):
        for got, wanted in zip(of_kernel, of_cell, strict=True):
            np.testing.assert_allclose(got, wanted, rtol=1e-4, atol=3e-5)
