"""The recurrence at the edges of its shapes, and its options about what it returns."""

import numpy as np
import pytest
from keras import ops
from oracle import Options, Weights, oracle

INPUT_DIM, UNITS, NUM_CLUSTERS = 3, 4, 3
CLUSTERS = np.array([[1, 2, 1, 3, 1], [2, 2, 0, 7, 2], [0, 3, 3, 1, 3]])
MASK = np.array([[1, 1, 1, 1, 1], [1, 1, 1, 1, 0], [1, 1, 0, 0, 0]], bool)


def _x(batch=3, time=5):
    rng = np.random.default_rng(batch * 10 + time)
    return rng.normal(size=(batch, time, INPUT_DIM)).astype("float32")


def _built(make_recurrence, randomise, **options):
    recurrence = make_recurrence(UNITS, NUM_CLUSTERS, **options)
    recurrence.build((None, None, INPUT_DIM))
    randomise(recurrence.layer)
    return recurrence, Weights.of(recurrence.layer.get_weights())


def _assert_close(got, want):
    np.testing.assert_allclose(ops.convert_to_numpy(got), want, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize(
    ("batch", "time"),
    [(1, 1), (3, 1), (1, 5), (2, 5), (NUM_CLUSTERS, 5)],
    ids=lambda value: str(value),
)
def test_batch_and_time(make_recurrence, randomise, batch, time):
    """Scenario 1: each row as the oracle reads it, alone.

    A state of rank 3 under a mask goes wrong silently where batch == clusters, and is
    right by luck in a batch of one (keras #11498).
    """
    recurrence, weights = _built(
        make_recurrence, randomise, return_sequences=True, return_state=True
    )
    x, clusters, mask = _x(batch, time), CLUSTERS[:batch, :time], MASK[:batch, :time]
    outputs, h, memory = recurrence.read(x, clusters, mask=mask)
    want = oracle(x, clusters, weights, Options(NUM_CLUSTERS), mask=mask)
    _assert_close(outputs, want.outputs)
    _assert_close(h, want.h)
    _assert_close(memory, want.memory)


@pytest.mark.parametrize("go_backwards", [False, True])
def test_last_output_is_the_sequence_end(make_recurrence, randomise, go_backwards):
    recurrence, weights = _built(make_recurrence, randomise, go_backwards=go_backwards)
    x = _x()
    options = Options(NUM_CLUSTERS, go_backwards=go_backwards)
    want = oracle(x, CLUSTERS, weights, options, mask=MASK)
    last = recurrence.read(x, CLUSTERS, mask=MASK)
    _assert_close(last, want.outputs[:, -1])
    _assert_close(last, want.h)


def test_last_output_is_zero_where_padding_gives_zeros(make_recurrence, randomise):
    """As stock `RNN` and `GRU`: the last of the outputs, not the last real one."""
    recurrence, weights = _built(make_recurrence, randomise, zero_output_for_mask=True)
    x = _x()
    options = Options(NUM_CLUSTERS, zero_output_for_mask=True)
    want = oracle(x, CLUSTERS, weights, options, mask=MASK).outputs[:, -1]
    np.testing.assert_array_equal(want[1:], 0)
    _assert_close(recurrence.read(x, CLUSTERS, mask=MASK), want)


def test_stateful_reads_on_until_reset(make_recurrence, randomise):
    """Called directly: stock `RNN` on JAX keeps no state of `predict`, nor does GRU."""
    recurrence = make_recurrence(UNITS, NUM_CLUSTERS, stateful=True)
    recurrence.build((3, 2, INPUT_DIM))
    randomise(recurrence.layer.cell)
    weights = Weights.of(recurrence.layer.cell.get_weights())
    x, clusters = _x()[:, :4], CLUSTERS[:, :4]
    want = oracle(x, clusters, weights, Options(NUM_CLUSTERS)).outputs
    _assert_close(recurrence(x[:, :2], clusters[:, :2]), want[:, 1])
    _assert_close(recurrence(x[:, 2:], clusters[:, 2:]), want[:, 3])
    recurrence.layer.reset_state()
    _assert_close(recurrence(x[:, :2], clusters[:, :2]), want[:, 1])
