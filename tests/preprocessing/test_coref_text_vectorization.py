"""What the layer makes of texts."""

import keras
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from keras_cgru import CorefTextVectorization
from keras_cgru.coref import (
    Annotation,
    ExactMatchResolver,
    SieveResolver,
    token_clusters,
)
from keras_cgru.coref.text import tokenise
from keras_cgru.data import Vocabulary

MARY = "Mary met John. She liked him."


def test_words_and_clusters_by_hand():
    layer = CorefTextVectorization()
    layer.adapt([MARY, "John slept."])
    # ".": 3, "john": 2, then each once, by their letters.
    special, known = ["", "[UNK]"], [".", "john", "him", "liked", "mary", "met"]
    assert layer.get_vocabulary() == [*special, *known, "she", "slept"]
    assert layer.vocabulary_size() == len(layer.vocabulary) == 10
    encoded = layer([MARY, "John slept."])
    assert list(encoded) == ["words", "clusters", "words_mask"]
    assert encoded["words"].tolist() == [
        [6, 7, 3, 2, 8, 5, 4, 2],
        [3, 9, 2, 0, 0, 0, 0, 0],
    ]
    assert encoded["clusters"].tolist() == [[1, 0, 2, 0, 1, 0, 2, 0], [0] * 8]
    assert encoded["words_mask"].tolist() == [[True] * 8, [True] * 3 + [False] * 5]
    dtypes = {name: str(each.dtype) for name, each in encoded.items()}
    assert dtypes == {"words": "int32", "clusters": "int32", "words_mask": "bool"}


WORDS = "Mary John Smith she he her him his the a hat dog met saw said . , ! \" 's É 王"
RESOLVERS = {
    "sieve": SieveResolver(),
    "exact": ExactMatchResolver(normalise=str.lower),
}


@settings(max_examples=60, deadline=None)
@given(
    texts=st.lists(
        st.lists(st.sampled_from(WORDS.split()), max_size=40).map(" ".join), max_size=4
    ),
    resolver=st.sampled_from(list(RESOLVERS)),
    num_clusters=st.integers(1, 4),
)
def test_ids_are_those_of_resolver_and_vocabulary(texts, resolver, num_clusters):
    vocabulary = Vocabulary("mary she the hat . ``".split(), num_oov=3)
    layer = CorefTextVectorization(
        vocabulary=vocabulary, resolver=resolver, num_clusters=num_clusters
    )
    encoded = layer(texts)
    longest = 1
    for row, text in enumerate(texts):
        tokens, starts = tokenise(text)
        length = len(tokens)
        longest = max(longest, length)
        annotation = RESOLVERS[resolver].resolve(tokens, starts)
        expected = {
            "words": vocabulary.encode([token.lower() for token in tokens]),
            "clusters": token_clusters(annotation, num_clusters).ids,
            "words_mask": [True] * length,
        }
        for name, values in expected.items():
            assert encoded[name][row, :length].tolist() == list(values)
            assert not encoded[name][row, length:].any()
    assert all(each.shape == (len(texts), longest) for each in encoded.values())


def test_no_resolver_no_clusters(texts, vectorization):
    plain = CorefTextVectorization(vocabulary=vectorization.vocabulary, resolver=None)
    assert not plain(texts)["clusters"].any()
    np.testing.assert_array_equal(plain(texts)["words"], vectorization(texts)["words"])


def test_settings_of_the_resolver():
    options = {"links": ("names", "nouns")}
    layer = CorefTextVectorization(vocabulary=["mary"], resolver_options=options)
    ids = layer("Mary slept. Mary said she saw the hat. The hat was old.")["clusters"]
    assert ids.tolist() == [1, 0, 0, 1, 0, 0, 0, 2, 2, 0, 2, 2, 0, 0, 0]


def test_a_cut_text_is_resolved_whole():
    """The first mention of three is linked, the one behind the cut is not there."""
    text = "He came. " + MARY + " Mary slept. He slept."
    whole = CorefTextVectorization(vocabulary=["mary"])
    tokens, starts = tokenise(text)
    annotation = SieveResolver().resolve(tokens, starts)
    for length in (1, 7, 8, 40):
        cut = CorefTextVectorization(vocabulary=["mary"], output_sequence_length=length)
        encoded = cut([text, ""])
        kept = min(length, len(tokens))
        np.testing.assert_array_equal(
            encoded["words"][0, :kept], whole(text)["words"][:kept]
        )
        expected = token_clusters(annotation.window(0, length)).ids
        assert encoded["clusters"][0, :kept].tolist() == list(expected)
        assert encoded["words_mask"].sum(1).tolist() == [kept, 0]
        assert all(each.shape == (2, length) for each in encoded.values())


def test_unknown_words_keep_apart_in_buckets():
    layer = CorefTextVectorization(vocabulary=["mary"], num_oov=50, resolver=None)
    words = layer("Mary saw Zork and Quux and Zork")["words"]
    assert words[0] == 51
    assert set(words[1:]) <= set(range(1, 51))
    assert words[2] == words[6] and words[2] != words[4]


def test_case_counts_where_it_is_asked_for():
    layer = CorefTextVectorization(lowercase=False, resolver=None)
    layer.adapt("Mary mary MARY mary")
    assert (
        layer.get_vocabulary(include_special_tokens=False) == "mary MARY Mary".split()
    )
    assert layer("Mary MaRy")["words"].tolist() == [4, 1]


def test_an_empty_text_is_padding(vectorization):
    for text in ("", "  \n\n ", b""):
        encoded = vectorization([text])
        assert all(each.tolist() == [[0]] for each in encoded.values())
    assert vectorization([])["words"].shape == (0, 1)
    assert vectorization("")["words"].shape == (1,)


@pytest.mark.parametrize(
    "form",
    [
        tuple,
        np.array,
        lambda texts: np.array(texts, dtype=object),
        lambda texts: [text.encode() for text in texts],
        lambda texts: np.array([text.encode() for text in texts]),
        lambda texts: np.array(texts)[:, None],
        lambda texts: [[text] for text in texts],
    ],
    ids=["tuple", "str", "object", "bytes", "S", "column", "lists"],
)
def test_forms_of_the_inputs(vectorization, texts, form):
    texts = [*texts, "Zoë saw 王."]
    expected, encoded = vectorization(texts), vectorization(form(texts))
    for name, each in expected.items():
        np.testing.assert_array_equal(encoded[name], each)


def test_one_text_has_no_batch(vectorization, texts):
    for text in (texts[0], texts[0].encode(), np.array(texts[0])):
        encoded = vectorization(text)
        for name, each in vectorization([texts[0]]).items():
            np.testing.assert_array_equal(encoded[name], each[0])


def test_embedding_masks_just_the_padding(vectorization, texts):
    encoded = vectorization(texts)
    embedding = keras.layers.Embedding(vectorization.vocabulary_size(), 2)
    embedding.mask_zero = True
    mask = keras.ops.convert_to_numpy(embedding.compute_mask(encoded["words"]))
    np.testing.assert_array_equal(mask, encoded["words_mask"])


@keras.saving.register_keras_serializable(package="test")
class FirstTwo:
    """Links the first two tokens."""

    def resolve(self, tokens, sentence_starts=None):
        return Annotation(tuple(tokens), [[(0, 1), (1, 2)]], tuple(sentence_starts))

    def get_config(self):
        return {}

    @classmethod
    def from_config(cls, config):
        return cls(**config)


def test_a_resolver_of_ones_own(texts):
    layer = CorefTextVectorization(vocabulary=["mary"], resolver=FirstTwo())
    copy = keras.saving.deserialize_keras_object(
        keras.saving.serialize_keras_object(layer)
    )
    assert isinstance(copy.resolver, FirstTwo)
    for each in (layer, copy):
        assert each("Mary met John")["clusters"].tolist() == [1, 1, 0]


def test_config_holds_all(vectorization, texts):
    vectorization = CorefTextVectorization(
        max_tokens=12,
        num_clusters=3,
        output_sequence_length=7,
        num_oov=4,
        lowercase=False,
        resolver="sieve",
        resolver_options={"links": ("names", "pronouns")},
        name="words",
    )
    empty = CorefTextVectorization.from_config(vectorization.get_config())
    assert empty.get_config() == vectorization.get_config()
    vectorization.adapt(texts)
    copy = CorefTextVectorization.from_config(vectorization.get_config())
    assert copy.get_config() == vectorization.get_config()
    assert copy.get_vocabulary() == vectorization.get_vocabulary()
    for name, each in vectorization(texts).items():
        np.testing.assert_array_equal(copy(texts)[name], each)
