"""Readers of characters, and of lists of mentions."""

import keras
import numpy as np
import pytest

from keras_cgru.layers import CharacterEncoder
from keras_cgru.models import ReaderProbe, ga_reader

SIZES = {"units": 4, "num_layers": 2, "num_clusters": 3}
OPTIONS = {"num_characters": 9, "occurrences": True, "query_word_layer": 2}


@pytest.fixture(scope="module")
def inputs(batch):
    """The shared batch in the other form."""
    random = np.random.default_rng(0)
    inputs = {n: a for n, a in batch.items() if n != "candidate_positions"}
    pairs = [np.argwhere(row) for row in batch["candidate_positions"]]
    listed = np.full((len(pairs), max(map(len, pairs)) + 1, 2), -1, "int32")
    for row, found in zip(listed, pairs, strict=True):
        row[: len(found)] = found
    inputs["candidate_occurrences"] = listed
    for text in ("document", "query"):
        shape = (*batch[f"{text}_mask"].shape, 5)
        ids = random.integers(1, 9, shape).astype("int32")
        inputs[f"{text}_characters"] = ids * batch[f"{text}_mask"][..., None]
    return inputs


@pytest.fixture(scope="module")
def model(batch, randomise):
    size = int(max(batch["document"].max(), batch["query"].max())) + 1
    model = ga_reader(size, 3, **SIZES, **OPTIONS)
    randomise(model, scale=1.0)
    return model


def test_a_list_of_mentions_gives_what_the_map_gives(model, inputs, batch, predict):
    size = model.get_layer("embedding").input_dim
    other = ga_reader(size, 3, **SIZES, **{**OPTIONS, "occurrences": False})
    other.set_weights(model.get_weights())
    mapped = {**inputs, "candidate_positions": batch["candidate_positions"]}
    del mapped["candidate_occurrences"]
    np.testing.assert_array_equal(predict(model, inputs), predict(other, mapped))


def test_characters_change_the_answer_and_padding_does_not(model, inputs, predict):
    expected = predict(model, inputs)
    changed, padded = dict(inputs), dict(inputs)
    ids = inputs["document_characters"]
    changed["document_characters"] = np.where(ids > 0, 1 + ids % 8, 0)
    assert np.abs(predict(model, changed) - expected).max() > 1e-5
    padded["document_characters"] = np.pad(ids, [(0, 0), (0, 0), (0, 3)])
    # What stands where there is no token.
    padded["query_characters"] = np.where(
        inputs["query_mask"][..., None], inputs["query_characters"], 7
    )
    np.testing.assert_allclose(predict(model, padded), expected, atol=1e-6)


def test_both_texts_share_one_encoder(model):
    encoders = [e for e in model.layers if isinstance(e, CharacterEncoder)]
    assert [each.name for each in encoders] == ["characters"]
    assert encoders[0].vocabulary_size == 9


@pytest.mark.parametrize("recurrence", ["gru", "gru_onehot"])
def test_other_recurrences(recurrence, inputs, predict):
    model = ga_reader(40, 3, recurrence=recurrence, **SIZES, **OPTIONS)
    probabilities = predict(model, inputs)
    np.testing.assert_allclose(probabilities.sum(axis=1), 1, atol=1e-6)


def test_equal_parameters_but_for_the_keys():
    sizes = {"units": 4, "num_layers": 2, **OPTIONS}
    coref, gru = (
        ga_reader(40, 3, recurrence=recurrence, **sizes).count_params()
        for recurrence in ("coref_gru", "gru")
    )
    # Two keys for each number that a layer reads, in both directions; documents of
    # the second layer have the flag of two numbers as well.
    assert coref - gru == 2 * 2 * ((3 + 50) * 2 + 8 * 2 + 2)


def test_saved_and_probed(model, inputs, predict, tmp_path):
    model.save(tmp_path / "reader.keras")
    again = keras.models.load_model(tmp_path / "reader.keras")
    expected = predict(model, inputs)
    np.testing.assert_array_equal(predict(again, inputs), expected)
    trace = ReaderProbe(again)(inputs)
    np.testing.assert_allclose(trace.output, expected, atol=1e-6)
    assert trace.points_at_mentions
    assert trace.attention.shape == inputs["document"].shape


def test_it_trains(inputs, batch):
    model = ga_reader(40, 3, logits=True, **SIZES, **OPTIONS)
    loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    model.compile(keras.optimizers.Adam(0.05), loss)
    answers = batch["candidate_positions"].any(axis=2).argmax(axis=1)
    losses = [float(model.train_on_batch(inputs, answers)) for _ in range(8)]
    assert losses[-1] < losses[0]
    # Every weight has a part in it.
    assert all(np.isfinite(weight).all() for weight in model.get_weights())


@pytest.mark.parametrize(
    "options, message",
    [
        ({"num_characters": 0}, "`num_characters` must be a positive integer"),
        ({"num_characters": 2.5}, "`num_characters` must be a positive integer"),
        (
            {"occurrences": True, "answer": "softmax", "num_classes": 2},
            "`occurrences` must be False with answer='softmax'",
        ),
    ],
)
def test_impossible_settings(options, message):
    with pytest.raises(ValueError, match=message):
        ga_reader(40, 3, **options)
