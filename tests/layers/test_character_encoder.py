"""Words' vectors from their characters, against NumPy."""

import keras
import numpy as np
import pytest
from keras import ops

from keras_cgru.layers import CharacterEncoder

RNG = np.random.default_rng(0)
# "abc", a single character, nothing, a word that fills the row.
IDS = np.array(
    [[[3, 4, 5, 0, 0, 0], [6, 0, 0, 0, 0, 0]], [[0] * 6, [2, 3, 2, 7, 8, 9]]]
)
IDS = IDS.astype("int32")
SIZES = {"vocabulary_size": 10, "embedding_dim": 3, "filters": 4, "width": 3}


@pytest.fixture(scope="module")
def layer():
    layer = CharacterEncoder(**SIZES)
    layer.build(IDS.shape)
    for weight in layer.weights:
        weight.assign(RNG.normal(size=tuple(weight.shape)))
    return layer


def oracle(ids, embeddings, kernel, bias):
    """Word by word, place by place."""
    found = np.zeros((*ids.shape[:2], bias.size))
    for place in np.ndindex(ids.shape[:2]):
        characters = ids[place][ids[place] > 0]
        for start in range(len(characters)):
            value = bias.copy()
            for k, character in enumerate(characters[start : start + len(kernel)]):
                value += embeddings[character] @ kernel[k]
            found[place] = np.maximum(found[place], value)
    return found


def weights_of(layer):
    return [ops.convert_to_numpy(w).astype("float64") for w in layer.weights]


def test_equals_the_oracle(layer):
    found = ops.convert_to_numpy(layer(IDS))
    np.testing.assert_allclose(found, oracle(IDS, *weights_of(layer)), atol=1e-5)
    assert (found[1, 0] == 0).all() and found.max() > 0


def test_gradients_equal_finite_differences_of_the_oracle(layer):
    goal = RNG.normal(size=(2, 2, 4))
    # A model of its own: training is the one way to gradients on every backend.
    ids = keras.Input((None, None), dtype="int32")
    copy = CharacterEncoder.from_config(layer.get_config())
    model = keras.Model(ids, copy(ids))
    model.set_weights(layer.get_weights())
    model.compile(
        keras.optimizers.SGD(1.0),
        lambda target, output: ops.sum(target * output, axis=(1, 2)) * 2,
    )
    before = weights_of(model)
    model.train_on_batch(IDS, goal.astype("float32"))
    steps = [b - a for b, a in zip(before, weights_of(model), strict=True)]
    for number, weight in enumerate(before):
        expected = np.zeros_like(weight)
        for place in np.ndindex(weight.shape):
            losses = []
            for change in (1e-5, -1e-5):
                moved = [w.copy() for w in before]
                moved[number][place] += change
                losses.append((goal * oracle(IDS, *moved)).sum())
            expected[place] = (losses[0] - losses[1]) / 2e-5
        np.testing.assert_allclose(steps[number], expected, atol=1e-3)


@pytest.mark.parametrize("length", [4, 6, 9])
def test_padding_changes_nothing(layer, length):
    padded = np.zeros((1, 1, length), "int32")
    padded[0, 0, :3] = IDS[0, 0, :3]
    found = ops.convert_to_numpy(layer(padded))[0, 0]
    np.testing.assert_allclose(found, ops.convert_to_numpy(layer(IDS))[0, 0], atol=1e-6)


def test_a_symbolic_call_of_unknown_lengths(tmp_path):
    ids = keras.Input((None, None), dtype="int32")
    model = keras.Model(ids, CharacterEncoder(**SIZES)(ids))
    assert model.output_shape == (None, None, 4)
    expected = model.predict(IDS, verbose=0)
    model.save(tmp_path / "m.keras")
    again = keras.models.load_model(tmp_path / "m.keras")
    np.testing.assert_array_equal(again.predict(IDS, verbose=0), expected)


def test_config_round_trip():
    layer = CharacterEncoder(9, 2, 3, 4, kernel_initializer="ones", name="letters")
    again = CharacterEncoder.from_config(layer.get_config())
    assert again.get_config() == layer.get_config()
    assert (again.name, again.width) == ("letters", 4)


@pytest.mark.parametrize("policy", ["mixed_float16", "mixed_bfloat16"])
def test_half_precision(layer, policy):
    half = CharacterEncoder(**SIZES, dtype=policy)
    half.build(IDS.shape)
    half.set_weights(layer.get_weights())
    found = half(IDS)
    assert keras.backend.standardize_dtype(found.dtype) == policy.partition("_")[2]
    found = ops.convert_to_numpy(ops.cast(found, "float32"))
    expected = ops.convert_to_numpy(layer(IDS))
    np.testing.assert_allclose(found, expected, atol=0.1)


@pytest.mark.parametrize("name", [*SIZES])
@pytest.mark.parametrize("value", [0, 1.5, True])
def test_sizes_are_checked(name, value):
    with pytest.raises(ValueError, match=rf"`{name}` must be a positive integer"):
        CharacterEncoder(**{**SIZES, name: value})


def test_the_rank_is_checked():
    with pytest.raises(ValueError, match=r"\(batch, time, characters\).*\(2, 6\)"):
        CharacterEncoder(9)(IDS[0])
