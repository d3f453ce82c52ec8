"""Faults that were reported of other recurrent layers, tried on these.

Each test names its scenario by number; other files hold those that they cover wholly.
"""

import keras
import numpy as np
import pytest
from keras import ops
from oracle import Options, Weights, oracle

from keras_cgru import CorefGRU, CorefGRUCell

TIME, INPUT_DIM, UNITS, NUM_CLUSTERS = 5, 3, 4, 3
CLUSTERS = np.array([[1, 2, 1, 3, 1], [2, 2, 0, 7, 2], [0, 3, 3, 1, 3]], "int32")
TOLERANCE = {"rtol": 1e-5, "atol": 1e-5}
# The kernel's path, the stock path of the same layer, and the unrolled one.
PATHS = [{}, {"use_kernel": False}, {"unroll": True}]


def _x(batch=3, time=TIME, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(batch, time, INPUT_DIM)).astype("float32")


def _numpy(tensors):
    return [ops.convert_to_numpy(tensor) for tensor in tensors]


def _assert_close(got, want):
    for a, b in zip(_numpy(got), want, strict=True):
        np.testing.assert_allclose(a, b, **TOLERANCE)


def _read_by_oracle(layer, x, clusters, **given):
    weights = Weights.of(layer.get_weights())
    return oracle(x, clusters, weights, Options(NUM_CLUSTERS), **given)


def _functional(recurrence, **shapes):
    """A model on the recurrence; `shape` or `batch_shape` of the token features."""
    ids = {name: shape[:-1] for name, shape in shapes.items()}
    inputs = [keras.Input(**shapes), keras.Input(dtype="int32", **ids)]
    return keras.Model(inputs, recurrence(*inputs))


# --- Scenario 1


@pytest.mark.parametrize("unroll", [False, True])
@pytest.mark.parametrize(
    ("batch", "num_clusters"), [(2, 2), (3, 3), (2, 3), (2, 1)], ids=str
)
def test_a_padded_row_equals_the_row_alone(
    make_recurrence, randomise, compiled, batch, num_clusters, unroll
):
    """Scenario 1: outputs, h and memory, also where batch == clusters."""
    recurrence = make_recurrence(
        UNITS, num_clusters, return_sequences=True, return_state=True, unroll=unroll
    )
    x, lengths = _x(batch), [3, TIME, 3][:batch]
    recurrence.build(x.shape)
    randomise(recurrence.layer)
    # Pads have ids, too.
    clusters = np.random.default_rng(1).integers(1, num_clusters + 1, (batch, TIME))
    mask = np.arange(TIME) < np.array(lengths)[:, None]
    rows = [(slice(i, i + 1), slice(n)) for i, n in enumerate(lengths)]
    padded, alone = compiled(
        lambda: (
            recurrence(x, clusters, mask=mask),
            [recurrence(x[row], clusters[row]) for row in rows],
        )
    )()
    padded = _numpy(padded)
    for i, (row, length) in enumerate(zip(alone, lengths, strict=True)):
        outputs, *states = _numpy(row)
        _assert_close([padded[0][i : i + 1, :length]], [outputs])
        _assert_close([part[i : i + 1] for part in padded[1:]], states)


# --- Scenario 6

NEAR = 2909, 2912  # the same number in bfloat16


def _long_document_reader(dtype):
    """Word ids and cluster ids in; what is to be seen of them, by hand.

    Word 2,909 has a feature that leaves all weight to the antecedent, and the states
    are halfway between what was read and tanh(feature).
    """
    words, clusters = (keras.Input((None,), dtype="int32") for _ in range(2))
    x = keras.layers.Embedding(3001, 1, dtype=dtype)(words)
    layer = CorefGRU(2, 3000, return_state=True, dtype=dtype)
    model = keras.Model([words, clusters], layer([x, clusters]))
    embeddings = np.zeros((3001, 1))
    embeddings[NEAR, 0] = 2, -2
    gates = np.array([[0, 0, 0, 0, 1, 1]])
    model.set_weights(
        [embeddings, gates, np.zeros((2, 6)), np.zeros(6), np.array([[0, 20]])]
    )
    return model


@pytest.mark.parametrize("policy", ["float32", "mixed_bfloat16", "mixed_float16"])
def test_a_long_document_reads_the_slot_of_its_exact_id(policy):
    """Scenario 6: positions, word ids and cluster ids that half precision rounds."""
    words = np.zeros((2, 3000), "int32")
    words[:, 2048], words[:, 2049], words[:, -1] = NEAR[1], NEAR[0], NEAR[0]
    clusters = words.copy()
    clusters[1, -1] = NEAR[1]
    read = _long_document_reader(policy).predict([words, clusters], verbose=0)
    h, memory = (part.astype("float32") for part in read[1:])
    # The antecedent of the first row is at 2,049, that of the second at 2,048.
    np.testing.assert_allclose(h[:, 1] / np.tanh(2), [0.75, 0.25], atol=0.01)
    flags = memory.reshape(2, 3000, 2)[..., 1]
    wanted = [[row, slot - 1] for row in (0, 1) for slot in NEAR]
    np.testing.assert_array_equal(np.argwhere(flags), wanted)


@pytest.mark.parametrize("policy", ["mixed_bfloat16", "mixed_float16"])
def test_ids_that_a_mixed_policy_has_cast_are_refused(policy):
    """Scenario 6: an `Input` of the default dtype, which the policy rounds."""
    layer = CorefGRU(UNITS, 3000, dtype=policy)
    compute_dtype = policy.removeprefix("mixed_")
    message = f"`clusters` must be integer.*Received: dtype={compute_dtype}"
    with pytest.raises(ValueError, match=message):
        layer([_x(), CLUSTERS.astype("float32")])


# --- Scenario 7


def test_ids_out_of_range_are_no_links(make_recurrence, randomise, value_and_gradients):
    """Scenario 7: the same numbers for each, those of NumPy; no gradient to a slot."""
    strange = [0, -1, NUM_CLUSTERS + 1, 99]
    clusters = np.array([[1, 2, odd, odd, 2] for odd in strange])
    x = np.repeat(_x(1), len(strange), axis=0)
    rng = np.random.default_rng(3)
    h = np.repeat(rng.normal(size=(1, UNITS)), len(x), axis=0).astype("float32")
    slots = rng.normal(size=(1, NUM_CLUSTERS, UNITS // 2 + 1)).astype("float32")
    slots[..., -1] = 1  # each was met before
    memory = np.repeat(slots.reshape(1, -1), len(x), axis=0)
    recurrence = make_recurrence(UNITS, NUM_CLUSTERS, return_sequences=True)
    recurrence.build(x.shape)
    randomise(recurrence.layer)
    (outputs,), (_, _, d_memory), _ = value_and_gradients(
        recurrence.layer,
        lambda x, *state: [recurrence(x, clusters, initial_state=list(state))],
        [x, h, memory],
        [np.ones((*x.shape[:2], UNITS), "float32")],
    )
    given = {"initial_state": (h, memory)}
    want = _read_by_oracle(recurrence.layer, x, np.maximum(clusters, 0), **given)
    _assert_close([outputs], [want.outputs])
    _assert_close([outputs], [np.repeat(outputs[:1], len(x), axis=0)])
    d_slots = d_memory.reshape(len(x), NUM_CLUSTERS, -1)[..., :-1]
    assert (abs(d_slots[:, :2]).max(axis=-1) > 1e-3).all()
    np.testing.assert_array_equal(d_slots[:, -1], 0)


# --- Scenario 10


@pytest.mark.parametrize("options", PATHS, ids=str)
def test_no_clusters_are_clusters_without_a_link(randomise, options):
    """Scenario 10: left out, None, all 0 and all -1."""
    x, layer = _x(), CorefGRU(UNITS, NUM_CLUSTERS, return_sequences=True, **options)
    layer.build(x.shape)
    randomise(layer)
    want = _read_by_oracle(layer, x, np.zeros(x.shape[:2])).outputs
    nothing = np.zeros(x.shape[:2], "int32")
    for inputs in (x, [x, None], [x, nothing], [x, nothing - 1]):
        _assert_close([layer(inputs)], [want])


def test_a_saved_model_reads_without_clusters_too(randomise, tmp_path):
    """Scenario 10: one layer of each form of the call, after `save` and `load`."""
    x, nothing = _x(), np.zeros((3, TIME), "int32")
    inputs = [keras.Input((None, INPUT_DIM)), keras.Input((None,), dtype="int32")]
    forms = [inputs[0], [inputs[0], None], inputs]
    layers = [CorefGRU(UNITS, NUM_CLUSTERS) for _ in forms]
    pairs = zip(layers, forms, strict=True)
    model = keras.Model(inputs, [layer(form) for layer, form in pairs])
    for layer in layers:
        randomise(layer)
    model.save(tmp_path / "model.keras")
    loaded = keras.saving.load_model(tmp_path / "model.keras")
    want = _read_by_oracle(layers[0], x, nothing).outputs[:, -1]
    for ids in (nothing, nothing - 1):
        _assert_close(loaded.predict([x, ids], verbose=0), [want] * 3)


def test_packed_ids_of_no_cluster_agree(make_recurrence, randomise):
    """Scenario 10: where an id has to be given, 0 and -1 mean the same."""
    x, nothing = _x(), np.zeros((3, TIME), "int32")
    recurrence = make_recurrence(UNITS, NUM_CLUSTERS)
    recurrence.build(x.shape)
    randomise(recurrence.layer)
    reads = _numpy(recurrence.read(x, ids) for ids in (nothing, nothing - 1))
    np.testing.assert_array_equal(*reads)


# --- Scenario 22


def test_alpha_survives_scores_past_half_precision(make_recurrence):
    """Scenario 22: 300 * 300 is past float16's 65,504; tests of attention: elsewhere.

    The states are halfway between what was read and tanh(1).
    """
    recurrence = make_recurrence(2, 1, return_sequences=True, dtype="mixed_float16")
    x = np.full((2, 2, 1), 300, "float32")
    recurrence.build(x.shape)
    gates, keys = np.array([[0, 0, 0, 0, 1, 1]]) / 300, np.array([[300, 299]])
    recurrence.layer.set_weights([gates, np.zeros((2, 6)), np.zeros(6), keys])
    (outputs,) = _numpy([recurrence(x, np.array([[1, 1], [0, 0]]))])
    want = np.tanh(1) * np.array([[0.5, 0.5], [0.75, 0.5]])
    np.testing.assert_allclose(outputs[0].astype("float32"), want, atol=2e-3)
    np.testing.assert_allclose(outputs[1].astype("float32"), want, atol=2e-3)


# --- Scenario 23


def test_one_model_reads_documents_of_every_length(make_recurrence, randomise):
    """Scenario 23: of what is exported, the model in memory."""
    recurrence = make_recurrence(UNITS, NUM_CLUSTERS, return_sequences=True)
    model = _functional(recurrence, shape=(None, INPUT_DIM))
    assert model.output_shape == (None, None, UNITS)
    randomise(model)
    for batch, time in ((2, 5), (3, 9)):
        x, clusters = _x(batch, time), np.tile(CLUSTERS, 2)[:batch, :time]
        want = _read_by_oracle(recurrence.layer, x, clusters).outputs
        _assert_close([model.predict([x, clusters], verbose=0)], [want])


# --- Scenario 24


@pytest.mark.parametrize("wrap", [lambda layer: layer, keras.layers.Bidirectional])
def test_unrolling_an_unknown_length_is_refused(wrap):
    """Scenario 24: where the model is written, not where it is first run."""
    message = r"`unroll=True` needs a time dimension.*Received.*unknown length"
    ids = keras.Input((None,), dtype="int32")
    with pytest.raises(ValueError, match=message):
        wrap(CorefGRU(UNITS, unroll=True))([keras.Input((None, INPUT_DIM)), ids])


def test_one_step_unrolled(make_recurrence, randomise):
    """Scenario 24: one step; `test_batch_and_time` has it where nothing is unrolled."""
    recurrence = make_recurrence(
        UNITS, NUM_CLUSTERS, return_sequences=True, return_state=True, unroll=True
    )
    x, clusters, mask = _x(time=1), CLUSTERS[:, :1], np.array([[1], [1], [0]], bool)
    recurrence.build(x.shape)
    randomise(recurrence.layer)
    want = _read_by_oracle(recurrence.layer, x, clusters, mask=mask)
    read = recurrence.read(x, clusters, mask=mask)
    _assert_close(read, [want.outputs, want.h, want.memory])


@pytest.mark.parametrize("options", [*PATHS, {"stateful": True}], ids=str)
@pytest.mark.parametrize("as_built", [False, True])
def test_no_step_is_refused(options, as_built):
    """Scenario 24: by a new layer and by one built for documents of any length."""
    layer = CorefGRU(UNITS, NUM_CLUSTERS, **options)
    x, clusters = _x(time=0), CLUSTERS[:, :0]
    if as_built:
        layer([_x(), CLUSTERS])
    message = r"time dimension .* must have at least one step.*Received: 0 steps"
    for inputs in ([x, clusters], [x, None], x):
        with pytest.raises(ValueError, match=message):
            layer(inputs)


def test_no_step_is_refused_in_a_functional_model(make_recurrence):
    """Scenario 24."""
    with pytest.raises(ValueError, match=r"time dimension .* Received: 0 steps"):
        _functional(make_recurrence(UNITS, NUM_CLUSTERS), shape=(0, INPUT_DIM))


# --- Scenario 26


@pytest.fixture(scope="module")
def masked_model(randomise):
    """Every way in which a mask may reach the two inputs of a symbolic call."""
    words, clusters = (keras.Input((None,), dtype="int32") for _ in range(2))
    mask = keras.Input((None,), dtype="bool")
    embed = keras.layers.Embedding(6, INPUT_DIM, mask_zero=True)
    plain = keras.layers.Embedding(6, INPUT_DIM)
    layers = [CorefGRU(UNITS, NUM_CLUSTERS, return_sequences=True) for _ in range(3)]
    outputs = [
        layers[0]([embed(words), clusters]),
        layers[1]([plain(words), clusters], mask=mask),
        layers[2]([plain(words), clusters], mask=[mask, mask]),
    ]
    model = keras.Model([words, clusters, mask], outputs)
    randomise(model)
    for layer in (*layers[1:], plain):
        layer.set_weights((embed if layer is plain else layers[0]).get_weights())
    return model, embed.get_weights()[0], layers[0]


def test_masks_reach_the_layer_of_two_inputs(masked_model, tmp_path):
    """Scenario 26: output shapes and values, before and after `save` and `load`."""
    model, table, layer = masked_model
    words = np.array([[1, 2, 3, 0, 0], [4, 5, 1, 2, 0], [3, 3, 0, 0, 0]], "int32")
    want = _read_by_oracle(layer, table[words], CLUSTERS, mask=words > 0).outputs
    model.save(tmp_path / "model.keras")
    for read in (model, keras.saving.load_model(tmp_path / "model.keras")):
        assert read.output_shape == [(None, None, UNITS)] * 3
        outputs = read.predict([words, CLUSTERS, words > 0], verbose=0)
        _assert_close(outputs, [want] * 3)


def test_the_mask_of_the_features_goes_on_with_the_output():
    """Scenario 26: with sequences, and with none; the ids' own mask adds nothing."""
    mask = np.array([[1, 1, 1, 0, 0]] * 3, bool)
    for sequences in (True, False):
        layer = CorefGRU(UNITS, return_sequences=sequences)
        for given in (mask, [mask, None], [mask, mask]):
            passed = layer.compute_mask([_x(), CLUSTERS], given)
            assert passed is (mask if sequences else None)
    layer = keras.layers.RNN(CorefGRUCell(UNITS), return_sequences=True)
    assert layer.compute_mask(None, mask) is mask
