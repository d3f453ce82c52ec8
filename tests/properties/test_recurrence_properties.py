"""What must hold for any text and any clusters.

Shapes are fixed and contents vary, so that JAX compiles each reading once.
"""

import keras
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from keras import ops

BATCH, TIME, INPUT_DIM, UNITS, NUM_CLUSTERS = 2, 6, 2, 4, 3
MEMORY = NUM_CLUSTERS * (UNITS // 2 + 1)
SPLIT = 2
# float32: another order of the same operations.
TOLERANCE = {"atol": 2e-6, "rtol": 2e-6}

# Each implementation's fixture serves all examples of a test: it holds no state.
relaxed = settings(
    max_examples=25,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
texts = arrays.arrays(
    "float32",
    (BATCH, TIME, INPUT_DIM),
    elements=st.floats(-3, 3, width=32, allow_subnormal=False),
)
cluster_ids = arrays.arrays(
    "int32", (BATCH, TIME), elements=st.integers(-1, NUM_CLUSTERS + 1)
)
masks = arrays.arrays("bool", (BATCH, TIME))


class Readings:
    """A recurrence compiled for forward and backward reading, with equal weights."""

    def __init__(self, make_recurrence, randomise):
        options = {"return_sequences": True, "return_state": True}
        forward = make_recurrence(UNITS, NUM_CLUSTERS, **options)
        backward = make_recurrence(UNITS, NUM_CLUSTERS, go_backwards=True, **options)
        for recurrence in (forward, backward):
            recurrence.build((BATCH, TIME, INPUT_DIM))
        randomise(forward.layer)
        backward.layer.set_weights(forward.layer.get_weights())
        self.forwards, self.backwards = _model(forward), _model(backward)

    def __call__(self, x, clusters, mask=None, state=None, backwards=False):
        """Outputs, h and memory; `state` defaults to zeros, `mask` to all real."""
        time = x.shape[1]
        mask = np.ones((BATCH, time), bool) if mask is None else mask
        state = _zero_state() if state is None else state
        model = self.backwards if backwards else self.forwards
        outputs = model.predict_on_batch([x, clusters, mask, *state])
        return [np.asarray(ops.convert_to_numpy(part)) for part in outputs]


def _zero_state():
    return [np.zeros((BATCH, size), "float32") for size in (UNITS, MEMORY)]


def _model(recurrence):
    inputs = [
        keras.Input((None, INPUT_DIM)),
        keras.Input((None,), dtype="int32"),
        keras.Input((None,), dtype="bool"),
        keras.Input((UNITS,)),
        keras.Input((MEMORY,)),
    ]
    x, clusters, mask, *state = inputs
    return keras.Model(inputs, recurrence(x, clusters, mask=mask, initial_state=state))


@pytest.fixture(scope="module")
def read(make_recurrence, randomise):
    return Readings(make_recurrence, randomise)


def _assert_same(got, want):
    for a, b in zip(got, want, strict=True):
        np.testing.assert_allclose(a, b, **TOLERANCE)


@relaxed
@given(texts, cluster_ids, masks, texts, cluster_ids)
def test_what_stands_in_padding_changes_nothing(read, x, clusters, mask, noise, ids):
    x_filled = np.where(mask[..., None], x, noise)
    clusters_filled = np.where(mask, clusters, ids)
    _assert_same(read(x_filled, clusters_filled, mask), read(x, clusters, mask))


@relaxed
@given(texts, cluster_ids, st.integers(0, TIME))
def test_right_padding_is_as_if_it_were_not_there(read, x, clusters, length):
    """The tokens after `length` are padding, or real ones after the same start."""
    mask = np.tile(np.arange(TIME) < length, (BATCH, 1))
    padded, h, _ = read(x, clusters, mask)
    whole, *_ = read(x, clusters)
    np.testing.assert_allclose(padded[:, :length], whole[:, :length], **TOLERANCE)
    last = whole[:, length - 1] if length else np.zeros_like(h)
    np.testing.assert_allclose(h, last, **TOLERANCE)


@relaxed
@given(texts, cluster_ids, masks, st.permutations(range(1, NUM_CLUSTERS + 1)))
def test_names_of_clusters_do_not_matter(read, x, clusters, mask, names):
    inside = (clusters >= 1) & (clusters <= NUM_CLUSTERS)
    renamed = np.where(inside, np.array([0, *names, 0])[clusters], clusters)
    outputs, h, memory = read(x, clusters, mask)
    slots = memory.reshape(BATCH, NUM_CLUSTERS, -1)
    moved = np.empty_like(slots)
    moved[:, np.array(names) - 1] = slots
    got = read(x, renamed.astype("int32"), mask)
    _assert_same(got, [outputs, h, moved.reshape(BATCH, -1)])


@relaxed
@given(texts, cluster_ids, masks)
def test_order_in_the_batch_does_not_matter(read, x, clusters, mask):
    want = [part[::-1] for part in read(x, clusters, mask)]
    _assert_same(read(x[::-1], clusters[::-1], mask[::-1]), want)


@relaxed
@given(texts, cluster_ids, masks)
def test_reading_backwards_is_reading_the_reversed_text(read, x, clusters, mask):
    backwards = read(x, clusters, mask, backwards=True)
    _assert_same(backwards, read(x[:, ::-1], clusters[:, ::-1], mask[:, ::-1]))


@relaxed
@given(texts, st.permutations([0, 0, 0, 1, 2, 3]))
def test_no_repeated_cluster_is_plain_recurrence(read, x, once):
    """The coreferent half of m is then 0 and alpha is 1, as without any cluster."""
    clusters = np.tile(np.array(once, "int32"), (BATCH, 1))
    outputs, h, memory = read(x, clusters)
    _assert_same([outputs, h], read(x, np.zeros_like(clusters))[:2])
    slots = memory.reshape(BATCH, NUM_CLUSTERS, -1)
    for cluster in range(1, NUM_CLUSTERS + 1):
        half = outputs[:, once.index(cluster), UNITS // 2 :]
        np.testing.assert_array_equal(slots[:, cluster - 1, :-1], half)
        np.testing.assert_array_equal(slots[:, cluster - 1, -1], 1)


@relaxed
@given(texts, cluster_ids, masks)
def test_two_parts_with_the_states_handed_over_are_one_pass(read, x, clusters, mask):
    # Padding before the first token repeats a state in some backends' stock RNN.
    mask = mask.copy()
    mask[:, [0, SPLIT]] = True
    first, *state = read(x[:, :SPLIT], clusters[:, :SPLIT], mask[:, :SPLIT])
    second, h, memory = read(x[:, SPLIT:], clusters[:, SPLIT:], mask[:, SPLIT:], state)
    joined = [np.concatenate([first, second], axis=1), h, memory]
    _assert_same(joined, read(x, clusters, mask))
