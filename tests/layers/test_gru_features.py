"""Everything that users of `keras.layers.GRU` expect, of both forms of the layer."""

import keras
import numpy as np
import pytest
from keras import ops
from layers import harness
from layers.harness import (
    BATCH,
    CLUSTERS,
    DIM,
    NUM_CLUSTERS,
    UNITS,
    X,
    assert_close,
    differ,
    functional,
    predict,
    trained_losses,
)
from oracle import Options, Weights, oracle

from keras_cgru import CorefGRUCell, pack_clusters

BACKEND = keras.backend.backend()
MASK = np.array([[1, 1, 1, 1, 1], [1, 1, 1, 0, 0], [0, 1, 1, 0, 1]], bool)

OPTIONS = {
    "defaults": {},
    "sequences backwards": {"return_sequences": True, "go_backwards": True},
    "states": {"return_sequences": True, "return_state": True, "trains": False},
    "unrolled": {"unroll": True, "static_time": True},
    "other functions": {
        "use_bias": False,
        "activation": "relu",
        "recurrent_activation": "hard_sigmoid",
    },
    "regularised": {
        "dropout": 0.1,
        "recurrent_dropout": 0.1,
        "seed": 7,
        "kernel_regularizer": "l2",
        "keys_constraint": "max_norm",
        "keys_initializer": "he_normal",
    },
}


@pytest.mark.parametrize("name", OPTIONS)
def test_layer_does_all_that_a_gru_does(make_recurrence, name, tmp_path):
    """Shapes, config, any batch and length, clone, files, summary, three steps."""
    harness.check_layer(make_recurrence, tmp_path, **OPTIONS[name])


@pytest.mark.parametrize("merge_mode", ["concat", "sum", "mul", "ave", None])
def test_bidirectional_merges_as_its_mode_says(make_recurrence, randomise, merge_mode):
    """Against the two directions read alone, under a mask."""
    recurrence = make_recurrence(UNITS, NUM_CLUSTERS, return_sequences=True).wrapped(
        lambda layer: keras.layers.Bidirectional(layer, merge_mode=merge_mode)
    )
    recurrence.build(X.shape)
    randomise(recurrence.layer)
    got = recurrence.read(X, CLUSTERS, mask=MASK)
    halves = []
    for layer in (recurrence.layer.forward_layer, recurrence.layer.backward_layer):
        one = recurrence.wrapped(lambda _, layer=layer: layer)
        halves += harness.arrays(one.read(X, CLUSTERS, mask=MASK))
    a, b = halves[0], halves[1][:, ::-1]
    assert differ(a, b) > 1e-2
    want = {
        "concat": np.concatenate([a, b], axis=-1),
        "sum": a + b,
        "mul": a * b,
        "ave": (a + b) / 2,
        None: [a, b],
    }
    assert_close(got, want[merge_mode])


def test_unrolled_equals_not_unrolled_under_a_mask(make_recurrence, randomise):
    read = []
    for unroll in (False, True):
        recurrence = make_recurrence(
            UNITS, NUM_CLUSTERS, return_sequences=True, unroll=unroll
        )
        recurrence.build(X.shape)
        randomise(recurrence.layer)
        read.append(recurrence.read(X, CLUSTERS, mask=MASK))
    assert_close(*read)


def test_states_carry_a_functional_model_on(make_recurrence):
    """Two halves, the second from the first one's states, are one long pass."""
    whole = make_recurrence(UNITS, NUM_CLUSTERS)
    long = functional(whole)
    first = make_recurrence(UNITS, NUM_CLUSTERS, return_state=True)
    second = make_recurrence(UNITS, NUM_CLUSTERS)
    inputs = [*harness.inputs_of(), *harness.inputs_of(suffix="_after")]
    _, *states = first(*inputs[:2])
    model = keras.Model(inputs, second(*inputs[2:], initial_state=states))
    model.set_weights(long.get_weights() * 2)
    halves = [X[:, :2], CLUSTERS[:, :2], X[:, 2:], CLUSTERS[:, 2:]]
    got = model.predict(halves, verbose=0)
    assert_close(got, predict(long))
    assert differ(got, predict(long, X[:, 2:], CLUSTERS[:, 2:])) > 1e-3


def test_bidirectional_starts_each_direction_from_its_states(make_recurrence):
    recurrence = make_recurrence(UNITS, NUM_CLUSTERS, return_state=True).wrapped(
        keras.layers.Bidirectional
    )
    recurrence.build(X.shape)
    _, *states = recurrence.read(X, CLUSTERS)
    assert len(states) == 4
    got = recurrence.read(X, CLUSTERS, initial_state=states)
    for layer, start, part in zip(
        (recurrence.layer.forward_layer, recurrence.layer.backward_layer),
        (states[:2], states[2:]),
        (got[1:3], got[3:]),
        strict=True,
    ):
        one = recurrence.wrapped(lambda _, layer=layer: layer)
        _, *want = one.read(X, CLUSTERS, initial_state=start)
        assert_close(list(part), want)


def test_stateful_bidirectional_reads_on_until_reset(make_recurrence):
    """Each direction keeps its own states from call to call."""
    recurrence = make_recurrence(UNITS, NUM_CLUSTERS, stateful=True).wrapped(
        keras.layers.Bidirectional
    )
    recurrence.build(X.shape)
    first = recurrence(X, CLUSTERS)
    second = recurrence(X, CLUSTERS)
    assert differ(first, second) > 1e-3
    recurrence.layer.reset_state()
    assert_close(recurrence(X, CLUSTERS), first)
    assert_close(recurrence(X, CLUSTERS), second)


def _echo(make, units, time, **options):
    """A recurrence that hands on its dropped features or state, and nothing else.

    Gates wide open, so that h_t = tanh(dropped x_t + dropped h_{t-1}) in the first
    half of the units: one feature each with `dropout`, the state itself otherwise.
    """
    recurrence = make(units, NUM_CLUSTERS, return_sequences=True, **options)
    recurrence.build((BATCH, time, units))
    bias = np.zeros(3 * units)
    bias[: 2 * units] = 100.0
    kernel, recurrent = np.zeros((units, 3 * units)), np.zeros((units, 3 * units))
    kernel[:, 2 * units :] = np.eye(units)
    if "recurrent_dropout" in options:
        recurrent[:, 2 * units :] = np.eye(units)
    layer = recurrence.layer
    extra = layer.get_weights()[4:]  # the state of the random numbers
    layer.set_weights([kernel, recurrent, bias, np.zeros((units, 2)), *extra])
    return recurrence


def test_features_are_dropped_alike_at_every_step(make_recurrence):
    """Drawn once a call, as `keras.layers.GRU` does, and anew for the next call."""
    recurrence = _echo(make_recurrence, 32, 6, dropout=0.5, seed=1)
    x, clusters = np.ones((BATCH, 6, 32), "float32"), np.zeros((BATCH, 6), "int32")
    h, again = (
        ops.convert_to_numpy(recurrence(x, clusters, training=True)) for _ in range(2)
    )
    np.testing.assert_array_equal(h, np.repeat(h[:, :1], 6, axis=1))
    np.testing.assert_allclose(h[h != 0], np.tanh(2.0), atol=1e-6)
    assert 0.25 < (h != 0).mean() < 0.75
    assert differ(h, again) > 0.1
    assert_close(recurrence(x, clusters), np.full_like(h, np.tanh(1.0)))


@pytest.mark.parametrize("masked", [False, True])
def test_recurrent_dropout_is_one_mask_and_bounded_over_300_steps(
    make_recurrence, masked
):
    """A mask drawn anew at each step would empty every unit within a few steps."""
    time, half = 300, 16
    recurrence = _echo(make_recurrence, 2 * half, time, recurrent_dropout=0.5, seed=1)
    x = np.zeros((BATCH, time, 2 * half), "float32")
    x[:, 0] = 1.0
    given = {"mask": np.arange(time)[None] % 7 != 3} if masked else {}
    given = {name: np.repeat(mask, BATCH, 0) for name, mask in given.items()}
    clusters = np.zeros((BATCH, time), "int32")
    h = ops.convert_to_numpy(recurrence(x, clusters, training=True, **given))
    assert np.isfinite(h).all() and abs(h).max() <= 1.0
    # 0.9575 is where h = tanh(2 h).
    last = h[:, -1, :half]
    kept = last != 0
    assert 0.25 < kept.mean() < 0.75
    np.testing.assert_allclose(last[kept], 0.9575, atol=1e-3)
    np.testing.assert_array_equal(
        h[:, 5:, :half] != 0, np.repeat(kept[:, None], time - 5, axis=1)
    )


def test_same_seed_gives_the_same_dropout(make_recurrence, randomise):
    options = {"dropout": 0.5, "recurrent_dropout": 0.5}
    outputs = []
    for seed in (5, 5, 6):
        recurrence = make_recurrence(UNITS, NUM_CLUSTERS, seed=seed, **options)
        recurrence.build(X.shape)
        layer = recurrence.layer
        weights = np.random.default_rng(1)
        layer.set_weights(
            [weights.normal(size=w.shape) for w in layer.get_weights()[:4]]
            + layer.get_weights()[4:]
        )
        outputs.append(recurrence(X, CLUSTERS, training=True))
    assert_close(outputs[0], outputs[1])
    assert differ(outputs[0], outputs[2]) > 1e-3


def test_initializers_fill_their_weights(make_recurrence):
    """Each weight from an initializer of its own."""
    names = ("kernel", "recurrent", "bias", "keys")
    constants = {
        f"{name}_initializer": keras.initializers.Constant(value)
        for value, name in enumerate(names, start=1)
    }
    recurrence = make_recurrence(UNITS, NUM_CLUSTERS, **constants)
    recurrence.build(X.shape)
    values = [set(w.flatten()) for w in recurrence.layer.get_weights()]
    assert values == [{1.0}, {2.0}, {3.0}, {4.0}]


def test_constraints_hold_and_regularizers_count_after_a_step(make_recurrence):
    names = ("kernel", "recurrent", "bias", "keys")
    options = {f"{n}_constraint": "non_neg" for n in names}
    options |= {f"{n}_regularizer": keras.regularizers.L1(1.0) for n in names}
    options |= {f"{n}_initializer": "ones" for n in names[:3]}
    options["keys_initializer"] = keras.initializers.Constant(0.1)
    model = functional(make_recurrence(UNITS, NUM_CLUSTERS, **options))
    before = model.get_weights()
    assert len(model.losses) == 4
    loss = trained_losses(model, 0, keras.optimizers.SGD(0.5))[0]
    assert loss > sum(abs(w).sum() for w in before)
    after = model.get_weights()
    assert min(w.min() for w in after) == 0.0  # keys: 0.1, less 0.5 a step
    assert min(abs(a - b).max() for a, b in zip(after, before, strict=True)) > 0


@pytest.mark.parametrize(
    ("policy", "tolerance"),
    [("mixed_float16", 4e-3), ("mixed_bfloat16", 3e-2), ("bfloat16", 3e-2)],
)
def test_half_precision_trains_and_stays_close(make_recurrence, policy, tolerance):
    """`bfloat16` keeps its weights in half precision, too."""
    # Keras's default, "orthogonal", has no QR in bfloat16, for its own GRU either.
    pure = policy == "bfloat16"
    options = {"recurrent_initializer": "glorot_uniform"} if pure else {}
    models = [
        functional(harness.recurrence_of(make_recurrence, dtype, **options))
        for dtype in ("float32", policy)
    ]
    rng = np.random.default_rng(4)
    weights = [0.5 * rng.normal(size=w.shape) for w in models[0].get_weights()]
    for model in models:
        model.set_weights(weights)
    got = [np.asarray(predict(m)).astype("float32") for m in models]
    np.testing.assert_allclose(got[1], got[0], atol=tolerance)
    losses = trained_losses(models[1], steps=5)
    assert np.isfinite(losses).all() and losses[-1] < losses[0]


def test_float64_is_kept_from_input_to_output(make_recurrence, randomise):
    if BACKEND != "tensorflow":
        pytest.skip(
            "keras.ops computes float64 in float32 on JAX and PyTorch: https://github."
            "com/keras-team/keras/blob/v3.15.1/keras/src/backend/common/dtypes.py"
        )
    recurrence = harness.recurrence_of(make_recurrence, "float64")
    recurrence.build(X.shape)
    randomise(recurrence.layer)
    x = X.astype("float64")
    got = ops.convert_to_numpy(recurrence(x, CLUSTERS))
    weights = Weights.of(recurrence.layer.get_weights())
    want = oracle(x, CLUSTERS, weights, Options(NUM_CLUSTERS)).outputs[:, -1]
    assert got.dtype == "float64"
    np.testing.assert_allclose(got, want, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("jit_compile", [False, True])
def test_fit_with_and_without_compilation(make_recurrence, jit_compile):
    if BACKEND == "torch" and jit_compile:
        pytest.skip("torch.compile takes minutes for one small recurrence")
    model = functional(make_recurrence(UNITS, NUM_CLUSTERS, return_sequences=True))
    losses = trained_losses(model, jit_compile=jit_compile)
    assert losses[-1] < losses[0]


def test_time_distributed_reads_each_sentence_alone(make_recurrence):
    """`TimeDistributed` takes one tensor: features and ids go in packed."""
    recurrence = make_recurrence(UNITS, NUM_CLUSTERS)
    inner = recurrence.layer
    if not recurrence.packed:
        packed = keras.Input((None, DIM + 1))
        ids = ops.cast(packed[..., -1], "int32")
        inner = keras.Model(packed, recurrence(packed[..., :-1], ids))
    rows = np.concatenate([X, CLUSTERS[..., None]], axis=-1).astype("float32")
    documents = np.stack([rows, rows[::-1]], axis=1)  # two sentences each
    sentences = keras.Input((2, None, DIM + 1))
    model = keras.Model(sentences, keras.layers.TimeDistributed(inner)(sentences))
    got = model.predict(documents, verbose=0)
    alone = ops.convert_to_numpy(recurrence(X, CLUSTERS))
    assert_close(got, np.stack([alone, alone[::-1]], axis=1))


def test_stacked_layers_share_the_clusters_and_train(make_recurrence):
    first = make_recurrence(UNITS, NUM_CLUSTERS, return_sequences=True)
    second = make_recurrence(UNITS, NUM_CLUSTERS)
    x, clusters = harness.inputs_of()
    model = keras.Model([x, clusters], second(first(x, clusters), clusters))
    linked, unlinked = predict(model), predict(model, X, 0 * CLUSTERS)
    assert differ(linked, unlinked) > 1e-4
    alone = ops.convert_to_numpy(first(X, CLUSTERS))
    assert_close(linked, second(alone, CLUSTERS))
    losses = trained_losses(model)
    assert losses[-1] < losses[0]


def test_stacked_cells_pass_the_ids_to_the_first_cell_only(randomise):
    """Where the second cell is to see them, stack layers, not cells."""
    cells = [CorefGRUCell(UNITS, NUM_CLUSTERS), keras.layers.GRUCell(UNITS)]
    stacked = keras.layers.RNN(cells)
    packed = pack_clusters(X, CLUSTERS)
    stacked.build(packed.shape)
    randomise(stacked)
    first = keras.layers.RNN(cells[0], return_sequences=True)
    want = keras.layers.RNN(cells[1])(first(packed))
    assert_close(stacked(packed), want)


def test_mask_of_a_layer_before_reaches_the_layer(make_recurrence):
    """`pack_clusters` hands it on; `CorefGRU` finds the features' own."""
    recurrence = make_recurrence(UNITS, NUM_CLUSTERS)
    x, clusters = harness.inputs_of()
    masked = keras.layers.Masking()(x)
    model = keras.Model([x, clusters], recurrence(masked, clusters))
    padded = np.where(MASK[..., None], X, 0.0).astype("float32")
    want = recurrence(padded, CLUSTERS, mask=MASK)
    assert_close(predict(model, padded, CLUSTERS), want)
    assert differ(recurrence(padded, CLUSTERS), want) > 1e-3
