"""The reader: what it computes, what it is made of, what it refuses."""

import keras
import numpy as np
import pytest
from keras import ops
from reader_variants import VARIANTS

from keras_cgru.models import ga_reader


@pytest.mark.parametrize("variant", VARIANTS)
def test_equals_the_reader_in_numpy(readers, batch, predict, numpy_reader, variant):
    """Scenario 9 as well: the NumPy reader reads every row alone, without padding."""
    probabilities = predict(readers[variant], batch)
    want = numpy_reader(readers[variant], batch, variant)
    np.testing.assert_allclose(probabilities, want, atol=2e-6)
    np.testing.assert_allclose(probabilities.sum(axis=1), 1, atol=1e-6)


@pytest.mark.parametrize("variant", VARIANTS[:2])
def test_a_row_alone_predicts_what_it_does_in_a_batch(readers, batch, predict, variant):
    """Row 2 of the batch: 4 tokens, a query of 2, two candidates, and no padding."""
    widths = {"document": 4, "query": 2}
    alone = {}
    for name, array in batch.items():
        width = widths.get(name.split("_")[0])
        alone[name] = array[1:2, :width] if width else array[1:2, :2]
    alone["candidate_positions"] = batch["candidate_positions"][1:2, :2, :4]
    assert alone["document_mask"].all() and alone["candidate_mask"].all()
    got = predict(readers[variant], alone)
    want = predict(readers[variant], batch)
    assert got.shape == (1, 2)
    np.testing.assert_allclose(got, want[1:2, :2], atol=1e-6)


def test_shared_memory_links_the_query_to_the_document(build_reader, batch, predict):
    """As one text: a mention in the query reads the entity's state in the document."""
    unlinked = {name: array.copy() for name, array in batch.items()}
    unlinked["document_clusters"][:] = 0
    unlinked["query_clusters"][:] = 0
    linked = {name: array.copy() for name, array in unlinked.items()}
    linked["document_clusters"][0, 2] = 2
    linked["query_clusters"][0, 1] = 2
    moved = {}
    for variant in VARIANTS[:2]:
        model = build_reader(variant, num_layers=1)
        read = keras.Model(model.inputs, model.get_layer("answer").input[1])
        states = [predict(read, data) for data in (unlinked, linked)]
        moved[variant] = abs(states[1] - states[0]).max(axis=1)
    # One mention a text: without shared memory there is nothing to link.
    np.testing.assert_array_equal(moved["coref_gru"], 0)
    assert moved["coref_gru, shared memory"][0] > 1e-4
    np.testing.assert_array_equal(moved["coref_gru, shared memory"][1:], 0)


def test_logits_are_log_probabilities_up_to_a_constant(
    build_reader, readers, batch, predict
):
    model = build_reader("coref_gru", logits=True)
    model.set_weights(readers["coref_gru"].get_weights())
    logits = predict(model, batch).astype("float64")
    softmax = np.exp(logits - logits.max(axis=1, keepdims=True))
    softmax /= softmax.sum(axis=1, keepdims=True)
    want = predict(readers["coref_gru"], batch)
    np.testing.assert_allclose(softmax, want, atol=1e-6)


def test_numbers_of_parameters(readers):
    """V=11, E=4, U=4, K=2, C=3; a direction of a layer has (in + U + 1) * 3U."""
    counts = {variant: model.count_params() for variant, model in readers.items()}
    assert counts == {
        "coref_gru": 1196,
        "coref_gru, shared memory": 1196,
        "coref_gru, query words": 1256,
        "gru": 1100,
        "gru_onehot": 1244,
    }
    vocabulary, dim, units, num_clusters = 11, 4, 4, 3
    # Two texts, two directions; after the first layer the input is both directions.
    inputs = [dim, 2 * units]
    recurrent = 2 * 2 * sum((width + units + 1) * 3 * units for width in inputs)
    assert counts["gru"] == vocabulary * dim + recurrent
    assert counts["coref_gru"] - counts["gru"] == 2 * 2 * sum(2 * w for w in inputs)
    # Two vectors of two numbers; both directions of the first layer read them.
    query_words = 2 * 2 + 2 * 2 * (3 * units + 2)
    assert counts["coref_gru, query words"] - counts["coref_gru"] == query_words
    one_hot = 2 * 2 * num_clusters * 3 * units
    assert counts["gru_onehot"] - counts["gru"] == one_hot


@pytest.mark.parametrize("recurrence", ["coref_gru", "gru", "gru_onehot"])
@pytest.mark.parametrize("layer", [1, 2])
def test_query_words_are_told_to_one_layer(build_reader, recurrence, layer):
    readers = (build_reader(recurrence, query_word_layer=n) for n in (layer, None))
    kernels = [
        {w.path.split("/")[0]: w.shape[0] for w in r.weights if w.name == "kernel"}
        for r in readers
    ]
    wider = {name: kernels[0][name] - width for name, width in kernels[1].items()}
    want = dict.fromkeys(("document_1", "document_2", "query_1", "query_2"), 0)
    assert wider == want | {f"document_{layer}": 2}


def test_a_query_word_is_told_by_its_word_alone(build_reader, batch, predict):
    """With word vectors of zero nothing else of the words is left."""
    model = build_reader("gru", num_layers=1, query_word_layer=1)
    model.get_layer("embedding").set_weights([np.zeros((11, 4), "float32")])
    read = keras.Model(model.inputs, model.get_layer("answer").input[0])
    other = {name: array.copy() for name, array in batch.items()}
    for text in ("document", "query"):  # each word is another: 1 is 2, ..., 10 is 1
        renamed = other[text] % 10 + 1
        other[text] = np.where(other[f"{text}_mask"], renamed, 0)
    want = predict(read, batch)
    np.testing.assert_array_equal(predict(read, other), want)
    other["query"][0] = 0  # no word of the document
    assert abs(predict(read, other) - want)[0].max() > 1e-4


def test_embeddings_are_set(build_reader):
    vectors = np.random.default_rng(1).normal(size=(11, 4)).astype("float32")
    model = build_reader("gru", embeddings=vectors, trainable_embeddings=False)
    embedding = model.get_layer("embedding")
    np.testing.assert_array_equal(embedding.get_weights()[0], vectors)
    assert not embedding.trainable_weights
    trained = build_reader("gru", embeddings=vectors).get_layer("embedding")
    assert len(trained.trainable_weights) == 1


def test_initializers_reach_every_recurrence(build_reader):
    model = build_reader(
        "coref_gru", kernel_initializer="ones", recurrent_initializer="zeros"
    )
    kernels = [w for w in model.weights if w.path.endswith("/kernel")]
    recurrent = [w for w in model.weights if w.path.endswith("/recurrent_kernel")]
    assert len(kernels) == len(recurrent) == 8
    assert all((ops.convert_to_numpy(w) == 1).all() for w in kernels)
    assert all((ops.convert_to_numpy(w) == 0).all() for w in recurrent)


def test_dropout_acts_in_training_alone(
    build_reader, readers, batch, predict, compiled
):
    model = build_reader("gru", dropout=0.5)
    model.set_weights(readers["gru"].get_weights())
    want = predict(readers["gru"], batch)
    np.testing.assert_allclose(predict(model, batch), want, atol=1e-6)
    variables = [
        [variable.value for variable in part]
        for part in (model.trainable_variables, model.non_trainable_variables)
    ]
    trained, _ = compiled(
        lambda state: model.stateless_call(*state, batch, training=True)
    )(variables)
    assert abs(ops.convert_to_numpy(trained) - want).max() > 0.01


def test_named_inputs_of_any_size(readers):
    for model in readers.values():
        named = {tensor.name: tensor for tensor in model.inputs}
        assert {name: (t.shape, t.dtype) for name, t in named.items()} == {
            "document": ((None, None), "int32"),
            "document_mask": ((None, None), "bool"),
            "document_clusters": ((None, None), "int32"),
            "query": ((None, None), "int32"),
            "query_mask": ((None, None), "bool"),
            "query_clusters": ((None, None), "int32"),
            "candidate_positions": ((None, None, None), "bool"),
            "candidate_mask": ((None, None), "bool"),
        }
        assert model.output_shape == (None, None)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"recurrence": "lstm"}, r"`recurrence` must be one of.*'lstm'"),
        ({"dropout": 1.0}, r"`dropout` must be in \[0, 1\).*dropout=1.0"),
        ({"dropout": -0.1}, r"`dropout` must be in \[0, 1\).*dropout=-0.1"),
        ({"num_layers": 0}, r"`num_layers` must be a positive integer.*num_layers=0"),
        ({"vocabulary_size": 0}, r"`vocabulary_size` must be a positive integer.*=0"),
        ({"embedding_dim": 0}, r"`embedding_dim` must be a positive integer.*=0"),
        (
            {"embeddings": np.zeros((10, 4))},
            r"`embeddings` must have shape .* \(11, 4\)\. Received: shape=\(10, 4\)",
        ),
        (
            {"recurrence": "gru", "share_memory": True},
            r"`share_memory` needs recurrence='coref_gru'.*share_memory=True",
        ),
        (
            {"recurrence": "gru_onehot", "share_memory": True},
            r"`share_memory` needs recurrence='coref_gru'.*share_memory=True",
        ),
        (
            {"query_word_layer": 0},
            r"`query_word_layer` must be .*1\.\.num_layers=3.*=0",
        ),
        ({"query_word_layer": 4}, r"`query_word_layer` must be .*num_layers=3.*=4"),
        ({"query_word_layer": True}, r"`query_word_layer` must be .*=True"),
        ({"query_word_layer": 1.0}, r"`query_word_layer` must be .*=1\.0"),
        ({"units": 5}, r"`units` must be a positive even integer.*units=5"),
        ({"num_clusters": 0}, r"`num_clusters` must be a positive integer.*=0"),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, dict) else "",
)
def test_errors(options, message):
    arguments = {"vocabulary_size": 11, "embedding_dim": 4, "units": 4, **options}
    with pytest.raises(ValueError, match=message):
        ga_reader(**arguments)
