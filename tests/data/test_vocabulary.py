"""Ids of known and unknown words, and the file."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from keras_cgru.data import Vocabulary


def test_ids_by_hand():
    vocabulary = Vocabulary(["b", "a", "b"], num_oov=2)
    assert vocabulary.words == ("b", "a")
    assert len(vocabulary) == 1 + 2 + 2
    ids = vocabulary.encode(["a", "b", "zzz"])
    assert ids.dtype == np.int32
    assert ids[:2].tolist() == [4, 3]
    assert ids[2] in (1, 2)
    assert "a" in vocabulary
    assert "zzz" not in vocabulary
    assert vocabulary.encode([]).shape == (0,)


def test_buckets_are_the_same_in_every_process():
    vocabulary = Vocabulary([], num_oov=64)
    # The CRC-32 of the UTF-8 forms.
    assert vocabulary.id_of("abc") == 1 + 0x352441C2 % 64
    assert vocabulary.id_of("é") == 1 + 0x0E048D3E % 64


def test_unknown_words_are_mostly_kept_apart():
    vocabulary = Vocabulary([], num_oov=64)
    buckets = {vocabulary.id_of(f"word{n}") for n in range(40)}
    assert len(buckets) > 20
    assert min(buckets) >= 1
    assert max(buckets) <= 64


def test_build_takes_all_words_sorted(make_example):
    examples = [
        make_example("c b", "z", candidates=(("c",), ("new", "york")), answer=("c",))
    ]
    vocabulary = Vocabulary.build(examples, extra_words=["m", "c"], num_oov=3)
    assert vocabulary.words == ("b", "c", "m", "new", "york", "z")
    assert vocabulary.num_oov == 3


@given(
    st.lists(st.text(st.characters(codec=None), max_size=6), max_size=8),
    st.integers(1, 9),
)
def test_the_file_gives_back_the_same(tmp_path_factory, words, num_oov):
    path = tmp_path_factory.mktemp("vocabulary") / "vocabulary.json"
    saved = Vocabulary(words, num_oov)
    saved.save(path)
    loaded = Vocabulary.load(path)
    assert (loaded.words, loaded.num_oov) == (saved.words, saved.num_oov)
    tokens = [*words, "unknown", "\ud800"]
    np.testing.assert_array_equal(loaded.encode(tokens), saved.encode(tokens))
    if words:
        assert min(saved.encode(words)) > num_oov


WORDS = """{"format": "keras_cgru.vocabulary", "version": 1,
"num_oov": %s, "words": %s}"""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{\n oops", r"vocabulary.json: must be JSON in UTF-8.*line 2"),
        ("[]", r'must hold "format": "keras_cgru.vocabulary"'),
        ('{"format": "keras_cgru.vocabulary", "version": 9}', "`version` must be 1"),
        (
            '{"format": "keras_cgru.vocabulary", "version": 1, "num_oov": 2}',
            "`words` must be of type list. Received: None",
        ),
        (WORDS % ("true", "[]"), "`num_oov` must be of type int. Received: True"),
        (WORDS % ("0", "[]"), "vocabulary.json: `num_oov` must be at least 1"),
        (WORDS % ("1", "[1]"), "vocabulary.json: `words` must be strings.*: 1"),
        (WORDS % ("1", "[" * 99_999), "must be JSON in UTF-8. .* too deeply"),
    ],
)
def test_a_bad_file_is_refused_by_name(tmp_path, text, message):
    path = tmp_path / "vocabulary.json"
    path.write_text(text)
    with pytest.raises(ValueError, match=message) as error:
        Vocabulary.load(path)
    assert str(path) in str(error.value)


def test_bad_arguments_are_named():
    with pytest.raises(ValueError, match="`num_oov` must be at least 1. Received: 0"):
        Vocabulary(["a"], num_oov=0)
    with pytest.raises(TypeError, match="`words` must be strings. Received: 3"):
        Vocabulary(["a", 3])
