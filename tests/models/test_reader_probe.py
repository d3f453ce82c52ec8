"""What the probe sees in a reader, against NumPy."""

import keras
import numpy as np
import pytest
from keras import ops
from oracle import Weights, antecedent_of

from keras_cgru.models import ReaderProbe, ga_reader

NUM_CLUSTERS, LAYERS = 3, 2
TEXTS, DIRECTIONS = ("document", "query"), ("forward", "backward")
COREF = ["coref_gru", "coref_gru, shared memory"]


@pytest.fixture(scope="module")
def traces(readers, batch):
    return {name: ReaderProbe(readers[name])(batch) for name in (*COREF, "gru")}


def linked_in_numpy(batch, shared):
    """`(text, direction) -> (batch, time)`, found by looking back token by token."""
    rows, width = batch["document"].shape
    ids, mask = (
        np.concatenate([batch["document" + what], batch["query" + what]], axis=1)
        for what in ("_clusters", "_mask")
    )
    texts = {"document": range(width), "query": range(width, ids.shape[1])}
    if shared:
        orders = [list(range(ids.shape[1]))]
    else:
        orders = [list(tokens) for tokens in texts.values()]
    found = {}
    for direction in DIRECTIONS:
        linked = np.zeros(ids.shape, bool)
        for order in orders:
            read = order if direction == "forward" else order[::-1]
            for row, position in np.ndindex(rows, len(read)):
                near = antecedent_of(read, position, ids[row], mask[row], NUM_CLUSTERS)
                real = mask[row, read[position]]
                linked[row, read[position]] = real and near is not None
        for text, tokens in texts.items():
            found[text, direction] = linked[:, list(tokens)]
    return found


def layer_of(model, text, number, direction):
    """The recurrence of one direction, and the tensor it reads."""
    layers = {layer.name: layer for layer in model.layers}
    both = layers.get(f"{text}_{number}")
    if both is not None:
        return getattr(both, f"{direction}_layer"), both.input[0]
    layer = layers[f"{text}_{number}_{direction}"]
    return layer, layer.input[0]


@pytest.mark.parametrize("variant", COREF)
def test_alpha_of_every_layer_and_direction(readers, batch, traces, predict, variant):
    model, trace = readers[variant], traces[variant]
    linked = linked_in_numpy(batch, "shared" in variant)
    for text in TEXTS:
        alphas = getattr(trace, f"{text}_alpha")
        assert list(alphas) == [1, 2]
        for direction in DIRECTIONS:
            want = linked[text, direction]
            got = getattr(trace, f"{text}_linked")[direction]
            np.testing.assert_array_equal(got, want)
            for number, by_direction in alphas.items():
                assert list(by_direction) == list(DIRECTIONS)
                layer, tensor = layer_of(model, text, number, direction)
                x = predict(keras.Model(model.inputs, tensor), batch)
                keys = Weights.of(layer.get_weights()).keys
                e1, e2 = (np.exp(x.astype("float64") @ key) for key in keys.T)
                np.testing.assert_allclose(
                    by_direction[direction],
                    np.where(want, e1 / (e1 + e2), 1),
                    atol=1e-5,
                )
    # Read as one text, more of the query is linked.
    assert any(linked[text, "forward"].any() for text in TEXTS)


def test_the_answer_s_attention_makes_up_its_probabilities(batch, traces):
    for trace in traces.values():
        positions = batch["candidate_positions"] & batch["candidate_mask"][:, :, None]
        shares = (positions * trace.attention[:, None]).sum(axis=-1)
        np.testing.assert_allclose(shares, trace.output, atol=1e-6)


def test_gated_attention(readers, batch, traces, predict):
    model = readers["gru"]
    gate = model.get_layer("gated_attention_1")
    document, query = predict(keras.Model(model.inputs, gate.input[:2]), batch)
    (weights,) = traces["gru"].gated_attention.values()
    assert weights.shape == (*batch["document"].shape, batch["query"].shape[1])
    for row, token in np.argwhere(batch["document_mask"]):
        scores = np.exp(query[row].astype("float64") @ document[row, token])
        scores *= batch["query_mask"][row]
        np.testing.assert_allclose(
            weights[row, token], scores / scores.sum(), atol=1e-5
        )


def test_a_gru_has_no_alpha(traces):
    trace = traces["gru"]
    assert trace.document_alpha == trace.query_alpha == {}
    assert trace.document_linked == trace.query_linked == {}


def test_the_reader_is_as_it_was_and_is_followed(
    build_reader, randomise, batch, predict
):
    model = build_reader("coref_gru, shared memory")
    before = predict(model, batch), model.get_config(), model.count_params()
    probe = ReaderProbe(model)
    first = probe(batch)
    np.testing.assert_array_equal(predict(model, batch), before[0])
    np.testing.assert_allclose(first.output, before[0], atol=1e-6)
    assert model.get_config() == before[1] and model.count_params() == before[2]
    randomise(model, scale=1.0)
    np.testing.assert_allclose(probe(batch).output, predict(model, batch), atol=1e-6)
    moved = (
        probe(batch).document_alpha[1]["forward"] - first.document_alpha[1]["forward"]
    )
    assert abs(moved).max() > 1e-3


def test_one_that_was_saved_with_a_softmax_in_mixed_precision(tmp_path, batch):
    texts = {name: x for name, x in batch.items() if not name.startswith("candidate")}
    policy = keras.config.dtype_policy()
    keras.config.set_dtype_policy("mixed_bfloat16")
    try:
        options = {"answer": "softmax", "num_classes": 3, "answer_length": 2}
        model = ga_reader(11, 4, units=4, num_layers=1, num_clusters=3, **options)
    finally:
        keras.config.set_dtype_policy(policy)
    model.save(tmp_path / "reader.keras")
    trace = ReaderProbe(keras.saving.load_model(tmp_path / "reader.keras"))(texts)
    assert trace.output.shape == (3, 2, 3)
    np.testing.assert_allclose(trace.attention.sum(axis=1), 1, atol=1e-5)
    assert (trace.attention[~batch["document_mask"]] == 0).all()
    linked = trace.document_linked["backward"]
    alpha = np.asarray(trace.document_alpha[1]["backward"], "float32")
    assert (alpha[~linked] == 1).all() and (alpha[linked] < 1).all()


LOAD = """
import keras, numpy as np
from keras_cgru.models import ReaderProbe

model = keras.saving.load_model("{folder}/reader.keras")
trace = ReaderProbe(model)(dict(np.load("{folder}/batch.npz")))
np.savez("{folder}/trace.npz", output=trace.output, attention=trace.attention,
         alpha=trace.document_alpha[2]["backward"], gate=trace.gated_attention[1])
"""


def test_a_reader_from_a_file_in_a_new_process(
    readers, batch, traces, tmp_path, run_python
):
    trace = traces["coref_gru, shared memory"]
    np.savez(tmp_path / "batch.npz", **batch)
    readers["coref_gru, shared memory"].save(tmp_path / "reader.keras")
    run_python(LOAD.format(folder=tmp_path))
    loaded = np.load(tmp_path / "trace.npz")
    for name, want in (
        ("output", trace.output),
        ("attention", trace.attention),
        ("alpha", trace.document_alpha[2]["backward"]),
        ("gate", trace.gated_attention[1]),
    ):
        np.testing.assert_allclose(loaded[name], want, atol=1e-6, err_msg=name)


def test_inputs_more_are_left_alone_and_fewer_refused(readers, batch, traces):
    probe = ReaderProbe(readers["gru"])
    trace = probe({**batch, "ids": np.arange(3)})
    np.testing.assert_allclose(trace.output, traces["gru"].output, atol=1e-6)
    given = {name: batch[name] for name in batch if name != "query_mask"}
    with pytest.raises(ValueError, match="`inputs` must have query_mask as well"):
        probe(given)


def test_another_model_is_refused():
    inputs = keras.Input((3,), name="x")
    model = keras.Model(inputs, ops.relu(inputs), name="mine")
    with pytest.raises(ValueError, match=r"`model` must be a reader.*'mine'.*\['x'\]"):
        ReaderProbe(model)
