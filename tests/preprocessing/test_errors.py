"""What the layer and the model refuse, and what they say."""

import keras
import numpy as np
import pytest

from keras_cgru import CorefTextVectorization, TextModel
from keras_cgru.coref import Annotation


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"num_oov": 0}, "`num_oov` must be at least 1. Received: 0"),
        ({"num_clusters": 0}, "`num_clusters` must be at least 1. Received: 0"),
        ({"num_clusters": 2.5}, "`num_clusters` must be at least 1. Received: 2.5"),
        ({"num_clusters": None}, "`num_clusters` must be at least 1. Received: None"),
        ({"output_sequence_length": 0}, "`output_sequence_length` must be at least 1"),
        ({"max_tokens": 2}, "`max_tokens` must be at least 3. Received: 2"),
        ({"max_tokens": 5, "num_oov": 4}, "`max_tokens` must be at least 6"),
        (
            {"max_tokens": 3, "vocabulary": ["a", "b"]},
            "`vocabulary` must fit into max_tokens=3 .* Received: 2 words",
        ),
        ({"vocabulary": ["a", "Mary"]}, "`vocabulary` must .* Received: 'Mary'"),
        (
            {"vocabulary": "mary"},
            "`vocabulary` must be a list .* Received: 'mary'",
        ),
        ({"vocabulary": ["a", None]}, "`words` must be strings. Received: None"),
        ({"resolver": "corenlp"}, "`resolver` must be 'sieve', 'exact', None, or"),
        ({"resolver": "os:system"}, "`resolver` must be .* Received: 'os:system'"),
        ({"resolver": 3}, "`resolver` must be .* Received: 3"),
        ({"resolver_options": {"links": ["x"]}}, "`links` must hold some of"),
        ({"resolver_options": {"limit": 1}}, "resolver sieve: .*'limit'"),
        ({"resolver_options": {"links": {"names"}}}, "`resolver_options` must be JSON"),
        (
            {"resolver": None, "resolver_options": {}},
            "`resolver_options` must be None for a `resolver` that is not named",
        ),
    ],
    ids=str,
)
def test_arguments(options, message):
    with pytest.raises((TypeError, ValueError), match=message):
        CorefTextVectorization(**options)


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        (None, "hold strings. Received: None at position 0"),
        (["a", None], "hold strings. Received: None at position 1"),
        (np.array(["a", np.nan], object), "hold strings. Received: nan"),
        ([["a", "b"]], r"texts of shape \(\), \(batch,\) or \(batch, 1\). .* \(1, 2\)"),
        ([[["a"]]], r"texts of shape .* Received: shape \(1, 1, 1\)"),
        ([["a"], ["b", "c"]], r"hold strings. Received: \['a'\]"),
        (np.ones((2,)), "hold strings. Received: 1.0"),
        ({"text": "a"}, "hold strings. Received: {'text': 'a'}"),
        (
            [b"a", b"caf\xe9"],
            r"in UTF-8. Received: b'caf\\xe9' at position 1 .* 3\)",
        ),
    ],
    ids=str,
)
def test_inputs(inputs, message):
    layer = CorefTextVectorization(vocabulary=["a"])
    with pytest.raises(ValueError, match="`inputs` must .*" + message):
        layer(inputs)
    if not isinstance(inputs, dict):
        with pytest.raises(ValueError, match="`data` must"):
            layer.adapt(inputs)


@pytest.mark.parametrize("data", [3, None, [], "", ["", " "], np.array([], object)])
def test_data_without_a_word(data):
    with pytest.raises(ValueError, match="`data` must .* Received: "):
        CorefTextVectorization().adapt(data)


def test_no_vocabulary_yet():
    layer = CorefTextVectorization(name="encode")
    for use in (lambda: layer(["a"]), layer.vocabulary_size, layer.get_vocabulary):
        with pytest.raises(ValueError, match="'encode' has no vocabulary yet: call"):
            use()


def test_a_resolver_that_changes_the_tokens():
    class Other:
        def resolve(self, tokens, sentence_starts=None):
            return Annotation(tuple(tokens)[1:])

    layer = CorefTextVectorization(vocabulary=["a"], resolver=Other())
    with pytest.raises(ValueError, match="`resolver` must annotate .*, 2. Received: 1"):
        layer(["a b"])
    with pytest.raises((TypeError, ValueError), match="get_config"):
        layer.get_config()


@pytest.mark.skipif(
    keras.backend.backend() == "tensorflow", reason="TensorFlow has string tensors"
)
def test_symbolic_strings():
    layer = CorefTextVectorization(vocabulary=["a"])
    with pytest.raises(ValueError, match="`inputs` must be texts .*TextModel.*backend"):
        layer(keras.Input((), dtype="string"))


def test_parts_of_a_text_model(vectorization, make_reader):
    reader = make_reader(5)
    with pytest.raises(ValueError, match="`vectorization` must be .* Received: <Func"):
        TextModel(reader, reader)
    with pytest.raises(ValueError, match="`model` must be .* Received: <CorefTextV"):
        TextModel(vectorization, vectorization)
    text = keras.Input((3,), name="text")
    other = keras.Model(text, keras.layers.Dense(1)(text))
    with pytest.raises(ValueError, match=r"`model` must be .* Received: \['text'\]"):
        TextModel(vectorization, other)


def test_one_text_for_a_model(text_model):
    for call in (text_model, text_model.predict, text_model.predict_on_batch):
        for given, shown in (("Mary", "'Mary'"), ([], r"\[\]")):
            with pytest.raises(ValueError, match=f"`x` must be a list .*: {shown}"):
                call(given)
    with pytest.raises(ValueError, match="`inputs` must hold strings. Received: None"):
        text_model.predict(["a", None])
