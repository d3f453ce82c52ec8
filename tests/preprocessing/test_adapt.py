"""Where a layer's vocabulary comes from."""

import numpy as np
import pytest

from keras_cgru import CorefTextVectorization
from keras_cgru.data import Vocabulary


def _adapted(data, steps=None, **options):
    layer = CorefTextVectorization(**options)
    layer.adapt(data, steps)
    return layer.get_vocabulary(include_special_tokens=False)


def test_forms_of_the_data(texts, batches):
    expected = _adapted(texts)
    assert expected[0] == "." and {"john", "he", "''"} < set(expected)
    forms = {
        "array": np.array(texts),
        "bytes": [text.encode() for text in texts],
        "column": np.array(texts)[:, None],
        "generator of batches": (texts[start : start + 3] for start in (0, 3)),
        "generator of tuples": (tuple(texts[start : start + 3]) for start in (0, 3)),
        "generator of texts": iter(texts),
        "PyDataset": batches(texts, list, length=2),
        "PyDataset of arrays": batches(texts, np.array, length=2),
    }
    for name, data in forms.items():
        assert _adapted(data) == expected, name


def test_one_text_is_no_list_of_letters():
    assert _adapted("Mary met John") == ["john", "mary", "met"]


def test_steps_end_an_endless_data_set(texts, batches):
    endless = batches(texts, list)
    assert _adapted(endless, steps=2) == _adapted(texts)
    assert _adapted(endless, steps=1) == _adapted(texts[:2])
    assert _adapted(iter([texts[:2], texts[2:]]), steps=1) == _adapted(texts[:2])
    with pytest.raises(ValueError, match=r"`steps` must be given .* Received: None"):
        _adapted(endless)


def test_order_of_the_texts_does_not_matter(texts):
    assert _adapted(texts) == _adapted(texts[::-1])
    assert _adapted(["b a c", "c d"]) == ["c", "a", "b", "d"]
    assert _adapted(["d", "c c b a"]) == ["c", "a", "b", "d"]


def test_max_tokens_counts_padding_and_unknown_words():
    text = "d c c b a"
    assert _adapted([text], max_tokens=4) == ["c", "a"]
    assert _adapted([text], max_tokens=5, num_oov=3) == ["c"]
    layer = CorefTextVectorization(max_tokens=100)
    layer.adapt([text])
    assert layer.vocabulary_size() == 6
    # "b" and "d" are unknown.
    layer = CorefTextVectorization(max_tokens=4, resolver=None)
    layer.adapt([text])
    assert layer(text)["words"].tolist() == [1, 2, 2, 1, 3]


def test_adapting_again_starts_anew():
    layer = CorefTextVectorization(vocabulary=["x"])
    layer.adapt(["a"])
    layer.adapt(["b"])
    assert layer.get_vocabulary() == ["", "[UNK]", "b"]


def test_a_given_vocabulary(texts):
    words = ["mary", ".", "john"]
    layer = CorefTextVectorization(vocabulary=words)
    assert layer.get_vocabulary() == ["", "[UNK]", *words]
    given = Vocabulary(words, num_oov=7)
    layer = CorefTextVectorization(vocabulary=given)
    assert (layer.num_oov, layer.vocabulary_size()) == (7, len(given))
    np.testing.assert_array_equal(
        layer("Mary slept .")["words"], given.encode(["mary", "slept", "."])
    )
