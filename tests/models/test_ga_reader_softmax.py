"""The reader with the softmax head: what it is made of and what it refuses."""

import keras
import numpy as np
import pytest

from keras_cgru.models import ga_reader

TEXTS = ("document", "query")


@pytest.fixture
def texts(batch):
    """The inputs without candidates."""
    return {name: x for name, x in batch.items() if not name.startswith("candidate")}


@pytest.mark.parametrize(("length", "shape"), [(None, (3, 5)), (2, (3, 2, 5))])
def test_answers_are_probabilities(
    build_reader, texts, predict, randomise, length, shape
):
    model = build_reader(
        "coref_gru", answer="softmax", num_classes=5, answer_length=length
    )
    assert {tensor.name for tensor in model.inputs} == set(texts)
    randomise(model, scale=1.0)
    answer = predict(model, texts)
    assert answer.shape == shape and model.output_shape == (None, *shape[1:])
    np.testing.assert_allclose(answer.sum(axis=-1), 1, atol=1e-6)
    assert np.ptp(answer, axis=0).max() > 1e-3


@pytest.mark.parametrize("variant", ["coref_gru, shared memory", "gru", "gru_onehot"])
def test_padding_changes_nothing(
    build_reader, texts, batch, predict, randomise, refill_padding, variant
):
    model = build_reader(variant, answer="softmax", num_classes=5)
    randomise(model, scale=1.0)
    filled = refill_padding(batch, seed=3)
    want = predict(model, texts)
    got = predict(model, {name: filled[name] for name in texts})
    np.testing.assert_allclose(got, want, atol=1e-6)


def test_it_learns_lists_word_by_word(build_reader, texts):
    """Three rows, each with an answer of two words."""
    model = build_reader(
        "coref_gru", answer="softmax", num_classes=4, answer_length=2, logits=True
    )
    wanted = np.array([[1, 0], [2, 3], [3, 1]], "int32")
    loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    model.compile(keras.optimizers.Adam(0.05), loss)
    # As many updates as any first weights need.
    losses = [model.train_on_batch(texts, wanted)]
    while losses[-1] > 0.1 * losses[0] and len(losses) < 500:
        losses.append(model.train_on_batch(texts, wanted))
    assert losses[-1] <= 0.1 * losses[0]
    predicted = model.predict(texts, verbose=0).argmax(axis=-1)
    np.testing.assert_array_equal(predicted, wanted)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"answer": "crf"}, r"`answer` must be one of.*'crf'"),
        ({"answer": "softmax"}, r"`num_classes` must be a positive.*num_classes=None"),
        ({"num_classes": 3}, r"`num_classes` must be None with.*num_classes=3"),
        ({"answer_length": 3}, r"`answer_length` must be None.*answer_length=3"),
        ({"answer": "softmax", "num_classes": 0}, r"`num_classes` must be.*0"),
    ],
)
def test_errors(options, message):
    with pytest.raises(ValueError, match=message):
        ga_reader(11, 4, units=4, **options)
