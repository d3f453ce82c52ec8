"""The softmax head against NumPy; shapes, padding, saving, errors."""

import keras
import numpy as np
import pytest
from keras import ops

from keras_cgru.layers import SoftmaxAnswer

BATCH, TIME, DIM, CLASSES = 3, 5, 4, 6
MASK = np.array([[1, 1, 1, 1, 1], [1, 1, 0, 0, 0], [0, 0, 0, 0, 0]], bool)


@pytest.fixture
def inputs():
    rng = np.random.default_rng(0)
    document = rng.normal(size=(BATCH, TIME, DIM)).astype("float32")
    query = rng.normal(size=(BATCH, DIM)).astype("float32")
    return document, query


@pytest.fixture
def run(randomise):
    def call(inputs, mask=MASK, seed=1, **options):
        layer = SoftmaxAnswer(CLASSES, **options)
        document, query = map(ops.convert_to_tensor, inputs)
        layer.build([tuple(document.shape), tuple(query.shape)])
        randomise(layer, scale=1.0)
        mask = None if mask is None else [ops.convert_to_tensor(mask), None]
        return layer, ops.convert_to_numpy(layer([document, query], mask=mask))

    return call


def in_numpy(layer, inputs, mask):
    """Row by row, over the real tokens alone; log-probabilities."""
    kernel, bias = (w.astype("float64") for w in layer.get_weights())
    rows = []
    for document, query, real in zip(*inputs, mask, strict=True):
        tokens = document[real].astype("float64")
        weights = np.exp(tokens @ query)
        summary = weights @ tokens / max(weights.sum(), 1e-300)
        features = np.concatenate([summary, query, summary * query])
        scores = (features @ kernel + bias).reshape(layer.length or 1, CLASSES)
        rows.append(scores - np.log(np.exp(scores).sum(axis=-1, keepdims=True)))
    return np.array(rows)


@pytest.mark.parametrize("length", [None, 1, 3])
def test_equals_the_formula(inputs, run, length):
    """The third row has no token: it is answered from the query alone."""
    layer, probabilities = run(inputs, length=length)
    want = np.exp(in_numpy(layer, inputs, MASK))
    want = want[:, 0] if length is None else want
    assert probabilities.shape == want.shape
    np.testing.assert_allclose(probabilities, want, atol=2e-6)
    symbolic = layer([keras.Input((None, DIM)), keras.Input((DIM,))])
    assert tuple(symbolic.shape) == (None, *want.shape[1:])


def test_logits_differ_from_log_probabilities_by_a_constant(inputs, run):
    layer, logits = run(inputs, length=2, logits=True)
    difference = logits - in_numpy(layer, inputs, MASK)
    assert np.ptp(difference, axis=-1).max() < 1e-5


def test_without_a_mask_every_token_counts(inputs, run):
    layer, probabilities = run(inputs, mask=None)
    want = np.exp(in_numpy(layer, inputs, np.ones_like(MASK)))[:, 0]
    np.testing.assert_allclose(probabilities, want, atol=2e-6)


def test_what_stands_in_padding_changes_nothing(inputs, run):
    document, query = inputs
    filled = np.where(MASK[..., None], document, 50.0).astype("float32")
    want, got = run(inputs)[1], run((filled, query))[1]
    np.testing.assert_array_equal(got, want)


def test_large_half_precision_scores_stay_finite():
    """Each product of two numbers fits float16, the sum over `dim` does not."""
    rng = np.random.default_rng(0)
    document = rng.uniform(150, 200, (BATCH, TIME, DIM)).astype("float16")
    query = rng.uniform(150, 200, (BATCH, DIM)).astype("float16")
    small = keras.initializers.RandomUniform(-1e-4, 1e-4, seed=0)
    layer = SoftmaxAnswer(CLASSES, dtype="mixed_float16", kernel_initializer=small)
    answer = layer([ops.convert_to_tensor(document), ops.convert_to_tensor(query)])
    assert keras.backend.standardize_dtype(answer.dtype) == "float32"
    probabilities = ops.convert_to_numpy(answer)
    np.testing.assert_allclose(probabilities.sum(axis=-1), 1, atol=1e-3)


def test_dropout_acts_in_training_alone(inputs, run):
    layer, still = run(inputs, dropout=0.5, seed=3)
    tensors = [ops.convert_to_tensor(x) for x in inputs]
    mask = [ops.convert_to_tensor(MASK), None]
    trained = [
        ops.convert_to_numpy(layer(tensors, mask=mask, training=True)) for _ in range(2)
    ]
    assert abs(trained[0] - still).max() > 1e-3
    assert abs(trained[0] - trained[1]).max() > 1e-3
    again = ops.convert_to_numpy(layer(tensors, mask=mask))
    np.testing.assert_array_equal(again, still)


def test_saved_and_loaded(inputs, tmp_path):
    document, query = keras.Input((None, DIM)), keras.Input((DIM,))
    answer = SoftmaxAnswer(
        CLASSES, length=2, dropout=0.1, logits=True, kernel_initializer="he_normal"
    )([document, query])
    model = keras.Model([document, query], answer)
    model.save(tmp_path / "model.keras")
    loaded = keras.models.load_model(tmp_path / "model.keras")
    assert loaded.layers[-1].get_config() == model.layers[-1].get_config()
    np.testing.assert_array_equal(
        loaded.predict(list(inputs), verbose=0), model.predict(list(inputs), verbose=0)
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"num_classes": 0}, "`num_classes` must be a positive integer.*num_classes=0"),
        ({"num_classes": 2.5}, "`num_classes` must be a positive integer.*2.5"),
        ({"num_classes": 2, "length": 0}, "`length` must be a positive.*length=0"),
        ({"num_classes": 2, "dropout": 1.5}, "1.5"),
    ],
)
def test_wrong_arguments(options, message):
    with pytest.raises(ValueError, match=message):
        SoftmaxAnswer(**options)


@pytest.mark.parametrize(
    "shapes", [[(2, 3, 4)], [(2, 3, 4), (2, 5)], [(2, 3, 4), (2, 3, 4)], (2, 3, 4)]
)
def test_wrong_shapes(shapes):
    with pytest.raises(ValueError, match=r"must be called with `\[document, query\]`"):
        SoftmaxAnswer(2).build(shapes)
