"""Cells of a file each get all that the Coref-GRU has, without touching the package."""

from __future__ import annotations

import keras
import numpy as np
import pytest
from keras import ops
from layers import harness
from layers.harness import CLUSTERS, NUM_CLUSTERS, UNITS, X
from layers.lstm_cell import CorefLSTMCell, lstm_states
from layers.plain_kernel import PlainKernel
from layers.tanh_cell import CorefTanhCell, TanhEquation
from oracle import Options, Weights, bidirectional, oracle, oracle_gradients
from recurrence import Recurrence

from keras_cgru import pack_clusters
from keras_cgru.layers import CorefRNN


@keras.saving.register_keras_serializable(package="tests")
class CorefTanhCellWithKernel(PlainKernel, CorefTanhCell):
    pass


@keras.saving.register_keras_serializable(package="tests")
class CorefLSTMCellWithKernel(PlainKernel, CorefLSTMCell):
    pass


BATCH, TIME = CLUSTERS.shape
MASK = np.array([[1, 1, 1, 1, 1], [1, 1, 1, 0, 0], [1, 0, 1, 1, 0]], bool)
TOLERANCE = {"rtol": 1e-5, "atol": 1e-5}
CELLS = {"stock RNN": CorefTanhCell, "a kernel": CorefTanhCellWithKernel}
CELL_OPTIONS = ("dropout", "recurrent_dropout", "seed", "use_bias", "dtype", "autocast")


def make(units, num_clusters, cell=CorefTanhCell, **options):
    of_cell = {name: options.pop(name) for name in CELL_OPTIONS if name in options}
    layer = CorefRNN(cell(units, num_clusters, **of_cell), **options)
    return Recurrence(layer, packed=False)


def make_built(randomise, **options):
    recurrence = make(UNITS, NUM_CLUSTERS, **options)
    recurrence.build(X.shape)
    randomise(recurrence.layer)
    return recurrence


def read_by_oracle(layer, x=X, clusters=CLUSTERS, mask=None, state=None, **options):
    weights = Weights.of(layer.get_weights())
    options = Options(NUM_CLUSTERS, equation=TanhEquation, **options)
    return oracle(x, clusters, weights, options, mask=mask, initial_state=state)


def assert_close(got, want):
    for a, b in zip(got, want, strict=True):
        np.testing.assert_allclose(ops.convert_to_numpy(a), b, **TOLERANCE)


def some_states(rng):
    memory = rng.normal(size=(BATCH, NUM_CLUSTERS, UNITS // 2 + 1))
    memory[..., -1] = rng.integers(0, 2, memory.shape[:2])
    h = rng.normal(size=(BATCH, UNITS))
    return [h.astype("float32"), memory.reshape(BATCH, -1).astype("float32")]


@pytest.mark.parametrize("go_backwards", [False, True])
@pytest.mark.parametrize("cell", CELLS.values(), ids=CELLS)
def test_outputs_states_and_gradients(
    cell, go_backwards, randomise, value_and_gradients
):
    options = {"return_sequences": True, "return_state": True}
    recurrence = make_built(randomise, cell=cell, go_backwards=go_backwards, **options)
    rng = np.random.default_rng(1)
    state = some_states(rng)
    shapes = [(BATCH, TIME, UNITS), *(part.shape for part in state)]
    cotangents = [rng.normal(size=shape).astype("float32") for shape in shapes]
    # Keras does not define the output before the first real token.
    read = MASK[:, ::-1] if go_backwards else MASK
    started = np.logical_or.accumulate(read, axis=1)[..., None]
    cotangents[0] *= started

    def call(x, *state):
        return list(recurrence(x, CLUSTERS, mask=MASK, initial_state=list(state)))

    outputs, d_tensors, d_weights = value_and_gradients(
        recurrence.layer, call, [X, *state], cotangents
    )
    weights = Weights.of(recurrence.layer.get_weights())
    told = Options(NUM_CLUSTERS, go_backwards=go_backwards, equation=TanhEquation)
    given = {"mask": MASK, "initial_state": state}
    want = oracle(X, CLUSTERS, weights, told, **given)
    assert_close([outputs[0] * started], [want.outputs * started])
    assert_close(outputs[1:], [want.h, want.memory])
    wanted = oracle_gradients(X, CLUSTERS, weights, told, cotangents, **given)
    assert_close(d_weights, wanted.weights.arrays())
    slots = (BATCH, NUM_CLUSTERS, UNITS // 2 + 1)  # the flags have no slope
    d_memory, want_memory = (
        a.reshape(slots)[..., :-1] for a in (d_tensors[2], wanted.memory)
    )
    assert_close([*d_tensors[:2], d_memory], [wanted.x, wanted.h, want_memory])


@pytest.mark.parametrize("cell", CELLS.values(), ids=CELLS)
def test_both_directions_under_a_mask(cell, randomise):
    recurrence = make(UNITS, NUM_CLUSTERS, cell, return_sequences=True).wrapped(
        keras.layers.Bidirectional
    )
    recurrence.build(X.shape)
    randomise(recurrence.layer)
    given = {"mask": MASK, "zero_output_for_mask": True}
    want = bidirectional(
        read_by_oracle(recurrence.layer.forward_layer, **given).outputs,
        read_by_oracle(
            recurrence.layer.backward_layer, go_backwards=True, **given
        ).outputs,
    )
    assert_close([recurrence.read(X, CLUSTERS, mask=MASK)], [want])


def test_the_cell_alone_in_stock_rnn(randomise):
    layer = keras.layers.RNN(CorefTanhCell(UNITS, NUM_CLUSTERS), return_sequences=True)
    packed = pack_clusters(X, CLUSTERS)
    layer.build(packed.shape)
    randomise(layer)
    assert_close([layer(packed)], [read_by_oracle(layer).outputs])


def test_all_that_a_recurrent_layer_does(tmp_path):
    """Shapes, config, any batch and length, clone, files, summary, three steps."""
    harness.check_layer(make, tmp_path, return_sequences=True, use_bias=False)


def test_states_carry_on_and_stateful_does_the_same(randomise):
    whole = make_built(randomise, return_state=True)
    stateful = make(UNITS, NUM_CLUSTERS, stateful=True)
    stateful.build(X.shape)
    stateful.layer.set_weights(whole.layer.get_weights())
    want, state = read_by_oracle(whole.layer), None
    for part in (slice(0, 2), slice(2, TIME)):
        x, clusters = X[:, part], CLUSTERS[:, part]
        last, *state = whole(x, clusters, initial_state=state)
        read_on = stateful(x, clusters)
    assert_close([last, *state], [want.outputs[:, -1], want.h, want.memory])
    assert_close([read_on], [want.outputs[:, -1]])


def test_several_clusters_and_separate_writes(randomise):
    """Ids that say nothing more read the same."""
    for inputs in (
        [X, np.stack([CLUSTERS, 0 * CLUSTERS], axis=-1)],
        [X, CLUSTERS, CLUSTERS],
    ):
        layer = make(UNITS, NUM_CLUSTERS).layer
        layer.build([part.shape for part in inputs])
        randomise(layer)
        assert_close([layer(inputs)], [read_by_oracle(layer).outputs[:, -1]])


@pytest.mark.parametrize("cell", [CorefLSTMCell, CorefLSTMCellWithKernel])
def test_a_cell_that_carries_one_state_more(cell, randomise):
    """At once, and in two parts with the states handed over."""
    options = {"return_sequences": True, "return_state": True}
    recurrence = make_built(randomise, cell=cell, **options)
    weights = Weights.of(recurrence.layer.get_weights())
    rows = zip(X, CLUSTERS, MASK, strict=True)
    pairs = [lstm_states(*row, weights, NUM_CLUSTERS) for row in rows]
    want, c = (np.array(part) for part in zip(*pairs, strict=True))
    outputs, h, _, last_c = recurrence.read(X, CLUSTERS, mask=MASK)
    assert_close([outputs, h, last_c], [want, want[:, -1], c])
    state = None
    for part in (slice(0, 2), slice(2, TIME)):
        given = {"mask": MASK[:, part], "initial_state": state}
        _, *state = recurrence.read(X[:, part], CLUSTERS[:, part], **given)
    assert_close([state[0], state[2]], [want[:, -1], c])


def test_more_ids_than_half_precision_counts(tmp_path):
    """The layer takes its cell's policy, and a saved model the ids as they were."""
    options = {"dtype": "mixed_bfloat16", "autocast": False, "return_state": True}
    model = harness.functional(make(UNITS, 300, **options))
    model.save(tmp_path / "model.keras")
    ids = np.array([[300, 299, 300, 257, 256]] * BATCH, "int32")
    for read in (model, keras.saving.load_model(tmp_path / "model.keras")):
        last, _, memory = harness.predict(read, X, ids)
        assert str(last.dtype) == "bfloat16"
        flags = memory.astype("float32").reshape(BATCH, 300, -1)[0, :, -1]
        np.testing.assert_array_equal(np.flatnonzero(flags), [255, 256, 298, 299])


def test_a_kernel_that_is_not_there():
    message = r"`use_kernel=True` needs unroll=False.*CorefTanhCell has a kernel"
    with pytest.raises(ValueError, match=message):
        make(UNITS, NUM_CLUSTERS, use_kernel=True)
    assert make(UNITS, NUM_CLUSTERS, CorefTanhCellWithKernel, use_kernel=True)


def test_a_cell_of_another_kind():
    with pytest.raises(ValueError, match=r"`cell` must be a .*CorefCell.*Received"):
        CorefRNN(keras.layers.GRUCell(4))


def test_the_layer_shows_its_cell():
    layer = make(UNITS, NUM_CLUSTERS, dropout=0.5).layer
    assert (layer.units, layer.num_clusters, layer.dropout) == (4, 3, 0.5)
    assert layer.kernel_initializer is layer.cell.kernel_initializer
