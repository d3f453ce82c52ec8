"""Characters of words as ids."""

import json

import numpy as np
import pytest

from keras_cgru.data import CharacterVocabulary

WORDS = ["Ab", "bé", "", "abcdefgh"]


def test_by_hand():
    vocabulary = CharacterVocabulary("abA", word_length=4)
    assert len(vocabulary) == 5
    np.testing.assert_array_equal(
        vocabulary.encode(WORDS),
        [[4, 3, 0, 0], [3, 1, 0, 0], [0, 0, 0, 0], [2, 3, 1, 1]],
    )
    assert vocabulary.encode([]).shape == (0, 4)
    assert vocabulary.encode(WORDS).dtype == "int32"


def test_takes_the_most_frequent_as_they_are_written(make_example):
    written = {"written_document": ("Mary", "MAY"), "written_query": ("yes",)}
    example = make_example("mary may", "yes", metadata=written)
    vocabulary = CharacterVocabulary.build([example], max_characters=3)
    # M twice, y twice, A, Y, a, e, ... once each.
    assert vocabulary.characters == ("M", "y", "A")
    assert CharacterVocabulary.build([make_example("b")]).characters[0] == "b"


def test_file_round_trip(tmp_path):
    path = tmp_path / "characters.json"
    vocabulary = CharacterVocabulary("ab\u2028é", word_length=7)
    vocabulary.save(path)
    again = CharacterVocabulary.load(path)
    assert again.characters == vocabulary.characters
    assert again.word_length == 7


@pytest.mark.parametrize(
    "change, message",
    [
        ({"format": "other"}, 'must hold "format"'),
        ({"version": 2}, 'must hold "version": 1'),
        ({"characters": "ab"}, "a list `characters`"),
        ({"characters": ["ab"]}, "strings of one character"),
        ({"characters": [["a"]]}, "characters.json"),
        ({"word_length": 0}, "`word_length` must be at least 1"),
        ({"word_length": True}, "a number `word_length`"),
    ],
)
def test_a_changed_file_is_named(tmp_path, change, message):
    path = tmp_path / "characters.json"
    content = json.loads(CharacterVocabulary("ab").to_json())
    path.write_text(json.dumps({**content, **change}))
    with pytest.raises(ValueError, match=message) as error:
        CharacterVocabulary.load(path)
    assert str(path) in str(error.value)
