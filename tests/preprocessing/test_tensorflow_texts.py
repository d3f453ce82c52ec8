"""`tf.data` on any backend, and strings within a model on TensorFlow."""

import keras
import numpy as np
import pytest

from keras_cgru import CorefTextVectorization, TextModel

tf = pytest.importorskip("tensorflow")
ON_TENSORFLOW = keras.backend.backend() == "tensorflow"


@pytest.fixture
def dataset(texts, labels):
    return tf.data.Dataset.from_tensor_slices((texts, labels))


def _shapes(dataset):
    inputs, _ = dataset.element_spec
    assert [(name, spec.dtype) for name, spec in inputs.items()] == [
        ("words", tf.int32),
        ("clusters", tf.int32),
        ("words_mask", tf.bool),
    ]
    (shape,) = {tuple(spec.shape) for spec in inputs.values()}
    return shape


def _assert_equal(encoded, expected):
    assert encoded.keys() == expected.keys()
    for name, each in expected.items():
        np.testing.assert_array_equal(encoded[name], each)


@pytest.mark.parametrize("length", [None, 5])
def test_a_map_over_batches(dataset, texts, vectorization, length):
    vectorization.output_sequence_length = length
    mapped = dataset.batch(2).map(lambda text, label: (vectorization(text), label))
    assert _shapes(mapped) == (None, length)
    for row, (encoded, _) in zip((0, 2), mapped, strict=True):
        _assert_equal(encoded, vectorization(texts[row : row + 2]))
    full = dataset.batch(2, drop_remainder=True)
    assert _shapes(full.map(lambda text, y: (vectorization(text), y))) == (2, length)


@pytest.mark.parametrize("length", [None, 5])
def test_a_map_over_texts(dataset, texts, vectorization, length):
    vectorization.output_sequence_length = length
    mapped = dataset.map(lambda text, label: (vectorization(text), label))
    assert _shapes(mapped) == (length,)
    (batch,) = mapped.padded_batch(len(texts))
    _assert_equal(batch[0], vectorization(texts))


def test_tensors_outside_a_graph(vectorization, texts):
    for given in (tf.constant(texts), tf.constant(texts)[:, None]):
        encoded = vectorization(given)
        assert all(tf.is_tensor(each) for each in encoded.values())
        _assert_equal(encoded, vectorization(texts))
    _assert_equal(vectorization(tf.constant(texts[0])), vectorization(texts[0]))


def test_adapt(dataset, texts, vectorization):
    for data in (dataset, dataset.batch(3), tf.constant(texts), dataset.map(_first)):
        layer = CorefTextVectorization()
        layer.adapt(data)
        assert layer.get_vocabulary() == vectorization.get_vocabulary()


def _first(text, label):
    return text


def test_a_model_over_data_sets(text_model, dataset, texts, labels):
    """Of texts, and of what the layer made of them."""
    expected = text_model.predict(texts, verbose=0)
    only_texts = dataset.map(_first).batch(4)
    mapped = only_texts.map(text_model.vectorization)
    for data in (only_texts, dataset.batch(4), mapped):
        outputs = text_model.predict(data, verbose=0)
        np.testing.assert_allclose(outputs, expected, rtol=1e-5, atol=1e-6)
    losses = [
        text_model.evaluate(dataset.batch(4), verbose=0),
        text_model.evaluate(texts, labels, verbose=0),
    ]
    assert losses[0] == pytest.approx(losses[1], rel=1e-5)
    history = text_model.fit(
        dataset.batch(4), validation_data=dataset.batch(4), verbose=0
    )
    assert history.history["loss"][0] == pytest.approx(losses[0], rel=1e-5)


def test_errors_within_a_graph(vectorization):
    with pytest.raises(ValueError, match=r"`inputs` must be texts of shape .*\(2, 2\)"):
        tf.data.Dataset.from_tensors([["a", "b"]] * 2).map(vectorization)
    broken = tf.data.Dataset.from_tensors([b"a", b"\xff"]).map(vectorization)
    with pytest.raises(tf.errors.OpError, match="UTF-8. Received: .* at position 1"):
        next(iter(broken))
    with pytest.raises(ValueError, match='`inputs` must have dtype="string". .*int32'):
        vectorization(tf.constant([1]))
    with pytest.raises(ValueError, match='`inputs` must have dtype="string". .*int32'):
        tf.data.Dataset.from_tensors([1]).map(vectorization)


def test_a_generator_of_unknown_shape(vectorization, texts):
    unknown = tf.data.Dataset.from_generator(lambda: iter(texts), output_types="string")
    with pytest.raises(ValueError, match="`inputs` must have a known rank, .*unknown"):
        unknown.map(vectorization)
    layer = CorefTextVectorization()
    layer.adapt(unknown)
    assert layer.get_vocabulary() == vectorization.get_vocabulary()


@pytest.mark.skipif(not ON_TENSORFLOW, reason="no string tensors on this backend")
@pytest.mark.parametrize("shape", [(), (1,)])
def test_strings_within_a_model(vectorization, make_reader, texts, tmp_path, shape):
    reader = make_reader(vectorization.vocabulary_size())
    text = keras.Input(shape, dtype="string")
    encoded = vectorization(text)
    assert {each.shape for each in encoded.values()} == {(None, None)}
    model = keras.Model(text, reader(encoded))
    model.compile("sgd", "mse")
    given = tf.reshape(tf.constant(texts), (len(texts), *shape))
    model.fit(given, np.zeros(len(texts)), verbose=0)
    expected = TextModel(vectorization, reader).predict(texts, verbose=0)
    path = tmp_path / "model.keras"
    model.save(path)
    for each in (model, keras.saving.load_model(path)):
        outputs = each.predict(given, verbose=0)
        np.testing.assert_allclose(outputs, expected, rtol=1e-5, atol=1e-6)


@pytest.mark.skipif(not ON_TENSORFLOW, reason="no string tensors on this backend")
def test_a_symbolic_input_of_numbers(vectorization):
    with pytest.raises(ValueError, match='`inputs` must have dtype="string"'):
        vectorization(keras.Input((None,), dtype="int32"))
