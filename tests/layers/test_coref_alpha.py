"""Alpha beside the recurrence: what the oracle weighed each token's past with."""

import keras
import numpy as np
import oracle
import pytest
from keras import ops
from layers.harness import CLUSTERS, DIM, NUM_CLUSTERS, TIME, UNITS, X

from keras_cgru import CorefGRU, CorefGRUCell, pack_clusters
from keras_cgru.layers import coref_alpha

MASK = np.array([[1, 1, 1, 1, 1], [0, 1, 1, 0, 1], [1, 1, 1, 0, 0]], bool)
RNG = np.random.default_rng(8)
MEMORY = RNG.normal(size=(len(X), NUM_CLUSTERS, UNITS // 2 + 1)).astype("float32")
MEMORY[:, :, -1] = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
STATE = [np.zeros((len(X), UNITS), "float32"), MEMORY.reshape(len(X), -1)]


def expected(layer, mask, state, backwards):
    """From what the oracle kept of every token it read."""
    weights = oracle.Weights.of(layer.get_weights())
    options = oracle.Options(NUM_CLUSTERS, go_backwards=backwards)
    alpha, linked = np.ones(X.shape[:2]), np.zeros(X.shape[:2], bool)
    rows = oracle._rows(X, CLUSTERS, weights, options, mask, state)
    for number, row in enumerate(rows):
        for step in oracle._read_row(*row, weights, options)[0]:
            if not step.masked:
                alpha[number, step.token] = step.values["alpha"]
                found = step.antecedent is not None or step.from_memory
                linked[number, step.token] = found
    assert linked.any() and not linked.all()
    return alpha, linked


def assert_alpha(got, want):
    np.testing.assert_allclose(ops.convert_to_numpy(got.alpha), want[0], atol=1e-6)
    np.testing.assert_array_equal(ops.convert_to_numpy(got.linked), want[1])


def gru(**options):
    layer = CorefGRU(UNITS, NUM_CLUSTERS, keys_initializer="normal", **options)
    layer.build([X.shape, CLUSTERS.shape])
    keys = layer.get_weights()
    keys[3] = RNG.normal(size=(DIM, 2))
    layer.set_weights(keys)
    return layer


@pytest.mark.parametrize("backwards", [False, True])
@pytest.mark.parametrize("mask", [None, MASK])
@pytest.mark.parametrize("state", [None, STATE])
def test_it_is_what_the_oracle_weighs_with(backwards, mask, state):
    layer = gru(go_backwards=backwards)
    got = coref_alpha(layer, [X, CLUSTERS], initial_state=state, mask=mask)
    assert_alpha(got, expected(layer, mask, state, backwards))


def test_of_bidirectional_it_is_a_pair():
    layer = keras.layers.Bidirectional(gru())
    layer([X, CLUSTERS])
    pair = coref_alpha(layer, [X, CLUSTERS], [*STATE, *STATE], MASK)
    for direction, got, backwards in zip(
        (layer.forward_layer, layer.backward_layer), pair, (False, True), strict=True
    ):
        assert_alpha(got, expected(direction, MASK, STATE, backwards))


def test_of_the_cell_in_stock_rnn():
    layer = keras.layers.RNN(CorefGRUCell(UNITS, NUM_CLUSTERS))
    packed = pack_clusters(X, CLUSTERS)
    layer(packed)
    assert_alpha(coref_alpha(layer, packed), expected(layer, None, None, False))


@pytest.mark.parametrize("backwards", [False, True])
@pytest.mark.parametrize("separate", [False, True])
def test_of_several_clusters_as_the_cell_itself_weighs(
    backwards, separate, monkeypatch
):
    """The recurrence steps through the cell, which tells what it weighed with."""
    ids = RNG.integers(0, NUM_CLUSTERS + 1, (*X.shape[:2], 2)).astype("int32")
    inputs = [X, ids, np.roll(ids, 1, axis=1)] if separate else [X, ids]
    layer = CorefGRU(
        UNITS, NUM_CLUSTERS, go_backwards=backwards, use_kernel=False, unroll=True
    )
    seen = []
    weigh = CorefGRUCell.weigh

    def spy(cell, x, count):
        alpha, beta = weigh(cell, x, count)
        seen.append((alpha, count))
        return alpha, beta

    monkeypatch.setattr(CorefGRUCell, "weigh", spy)
    layer.build([part.shape for part in inputs])
    layer(inputs)
    steps = [[ops.convert_to_numpy(part) for part in step] for step in seen[-TIME:]]
    monkeypatch.undo()
    alpha, count = (np.concatenate(parts, axis=1) for parts in zip(*steps, strict=True))
    if backwards:
        alpha, count = alpha[:, ::-1], count[:, ::-1]
    assert (count > 1).any()
    assert_alpha(coref_alpha(layer, inputs), (alpha, count > 0))


def test_without_clusters_all_is_sequential():
    layer = CorefGRU(UNITS, NUM_CLUSTERS)
    layer(X)
    got = coref_alpha(layer, X)
    assert_alpha(got, (np.ones(X.shape[:2]), np.zeros(X.shape[:2], bool)))


def test_the_features_own_mask_is_honoured():
    ids = np.where(MASK, 1 + np.arange(TIME), 0)
    x = keras.layers.Embedding(TIME + 1, DIM, mask_zero=True)(ids)
    layer = gru()
    own, told = (coref_alpha(layer, [x, CLUSTERS], mask=m) for m in (None, MASK))
    linked = ops.convert_to_numpy(own.linked)
    np.testing.assert_array_equal(linked, ops.convert_to_numpy(told.linked))
    bare = coref_alpha(layer, [ops.convert_to_numpy(x), CLUSTERS])
    assert not linked[~MASK].any() and ops.convert_to_numpy(bare.linked)[~MASK].any()


def test_a_stateful_layer_goes_on_from_its_states():
    layer = CorefGRU(UNITS, NUM_CLUSTERS, stateful=True)
    clusters = np.zeros_like(CLUSTERS)
    clusters[:, 0] = 2
    layer([X, clusters])
    got = coref_alpha(layer, [X, clusters])
    np.testing.assert_array_equal(ops.convert_to_numpy(got.linked), clusters == 2)
    layer.reset_states()
    assert not ops.convert_to_numpy(coref_alpha(layer, [X, clusters]).linked).any()


@pytest.mark.parametrize("policy", ["mixed_float16", "mixed_bfloat16"])
def test_in_mixed_precision_it_is_wide(policy):
    layer = gru(dtype=policy)
    got = coref_alpha(layer, [X, CLUSTERS])
    assert keras.backend.standardize_dtype(got.alpha.dtype) == "float32"
    want = expected(layer, None, None, False)
    np.testing.assert_allclose(ops.convert_to_numpy(got.alpha), want[0], atol=0.02)


def test_inputs_that_the_layer_does_not_take_are_refused():
    layer, nested = gru(), np.stack([CLUSTERS, CLUSTERS], axis=-1)
    with pytest.raises(ValueError, match="`clusters` must have 1 ids a token"):
        coref_alpha(layer, [X, nested])
    with pytest.raises(ValueError, match=r"`writes` must be given just.*3 inputs"):
        coref_alpha(layer, [X, CLUSTERS, CLUSTERS])
    with pytest.raises(ValueError, match="`clusters` must have shape"):
        coref_alpha(layer, [X, CLUSTERS[:, 1:]])
    stock = keras.layers.RNN(CorefGRUCell(UNITS, NUM_CLUSTERS))
    stock(pack_clusters(X, CLUSTERS))
    with pytest.raises(ValueError, match="`sequences` must be one tensor"):
        coref_alpha(stock, [X, CLUSTERS])


def test_what_has_no_alpha_is_refused():
    with pytest.raises(ValueError, match=r"`layer` must be a `CorefGRU`.*GRU"):
        coref_alpha(keras.layers.GRU(4), X)
    with pytest.raises(ValueError, match="`layer` must be built"):
        coref_alpha(CorefGRU(4), [X, CLUSTERS])
