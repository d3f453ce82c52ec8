"""A model that reads texts: training, data sets, padding, saving."""

import keras
import numpy as np
import pytest

from keras_cgru import TextModel

TOLERANCE = {"rtol": 1e-5, "atol": 1e-6}


def test_every_way_in_gives_the_same(text_model, texts, labels, batches):
    expected = text_model.predict(texts, verbose=0)
    assert expected.shape == (4, 1) and len(np.unique(expected.round(4))) == 4
    encoded = text_model.vectorization(texts)
    ways = {
        "array": text_model.predict(np.array(texts), verbose=0),
        "encoded": text_model.predict(encoded, verbose=0),
        "data set": text_model.predict(
            batches(texts, text_model.vectorization, length=2), verbose=0
        ),
        "call": text_model(texts),
        "batch": text_model.predict_on_batch(texts),
        "the model alone": text_model.model.predict(encoded, verbose=0),
    }
    for name, outputs in ways.items():
        outputs = keras.ops.convert_to_numpy(outputs)
        np.testing.assert_allclose(outputs, expected, **TOLERANCE, err_msg=name)
    loss = np.mean((expected[:, 0] - labels) ** 2)
    assert text_model.evaluate(texts, labels, verbose=0) == pytest.approx(loss, 1e-5)
    assert text_model.test_on_batch(texts, labels) == pytest.approx(loss, rel=1e-5)


def test_inputs_by_name_in_a_dictionary(text_model, make_reader, texts):
    """Keras would take the mask, which this model does not have, for the clusters."""
    vectorization = text_model.vectorization
    reader = make_reader(vectorization.vocabulary_size(), dict)
    reader.set_weights(text_model.get_weights())
    other = TextModel(vectorization, reader)
    np.testing.assert_allclose(
        other.predict(texts, verbose=0), text_model.predict(texts, verbose=0)
    )


@pytest.mark.parametrize(
    "structure",
    [lambda x: x, lambda x: [x], lambda x: {"words_mask": x}],
    ids=["alone", "list", "dictionary"],
)
@pytest.mark.filterwarnings("error::UserWarning")
def test_a_model_may_take_the_mask_alone(vectorization, texts, structure):
    mask = keras.Input((None,), dtype="bool", name="words_mask")
    lengths = keras.ops.sum(keras.ops.cast(mask, "float32"), axis=1, keepdims=True)
    model = TextModel(vectorization, keras.Model(structure(mask), lengths))
    outputs = keras.ops.convert_to_numpy(model(texts))
    assert outputs[:, 0].tolist() == [8, 0, 22, 3]


def test_options_of_fit(text_model, texts, labels):
    options = {"epochs": 2, "batch_size": 2, "shuffle": False, "verbose": 0}
    start = text_model.get_weights()

    def losses(**further):
        text_model.set_weights(start)
        return text_model.fit(texts, labels, **options, **further).history

    assert losses(validation_split=0.5).keys() == {"loss", "val_loss"}
    weighted = losses(sample_weight=np.zeros(4))
    assert weighted["loss"] == [0, 0]


def test_clusters_reach_the_layer(text_model, texts):
    encoded = text_model.vectorization(texts)
    without = text_model.predict(
        {**encoded, "clusters": np.zeros_like(encoded["clusters"])}, verbose=0
    )
    changed = np.abs(without - text_model.predict(texts, verbose=0))[:, 0] > 1e-4
    assert changed.tolist() == encoded["clusters"].any(axis=1).tolist()


def test_training_on_texts_equals_training_on_numbers(text_model, texts, labels):
    reader, start = text_model.model, text_model.get_weights()
    encoded = text_model.vectorization(texts)
    options = {"epochs": 2, "batch_size": 2, "shuffle": False, "verbose": 0}

    def train(model, x):
        text_model.set_weights(start)
        model.compile(keras.optimizers.SGD(0.1), "mse")
        history = model.fit(x, labels, validation_data=(x, labels), **options)
        return history.history, model.get_weights()

    on_texts, weights = train(text_model, texts)
    on_numbers, others = train(reader, encoded)
    assert on_texts.keys() == {"loss", "val_loss"}
    assert on_texts["loss"][1] < on_texts["loss"][0]
    for name, values in on_texts.items():
        np.testing.assert_allclose(values, on_numbers[name], rtol=1e-5)
    for one, other in zip(weights, others, strict=True):
        np.testing.assert_allclose(one, other, **TOLERANCE)


def test_the_model_is_compiled(text_model):
    """Strings before it must not keep JAX from compiling the model itself."""
    assert text_model.supports_jit
    if keras.backend.backend() == "jax":
        assert text_model.jit_compile


def test_a_saved_model_goes_on(text_model, texts, labels, tmp_path):
    text_model.train_on_batch(texts, labels)
    path = tmp_path / "reader.keras"
    text_model.save(path)
    loaded = keras.saving.load_model(path)
    unseen = [*texts, "Zork met Mary; she left."]
    np.testing.assert_allclose(
        loaded.predict(unseen, verbose=0), text_model.predict(unseen, verbose=0)
    )
    expected, found = text_model.vectorization, loaded.vectorization
    assert found.get_config() == expected.get_config()
    # The optimizer, too.
    one, other = (m.train_on_batch(texts, labels) for m in (text_model, loaded))
    assert one == pytest.approx(other)
    assert int(loaded.optimizer.iterations) == 2
