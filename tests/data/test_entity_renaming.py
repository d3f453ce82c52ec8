"""Renamed entities: what changes, what stays, and how often."""

import numpy as np
import pytest

from keras_cgru.data import Vocabulary
from keras_cgru.data.encoded_example import EncodedExample
from keras_cgru.data.entity_renaming import EntityRenaming

NAMES = ("ada", "bea", "cal", "dan")
TEXT, QUESTION = "ada met bea . bea saw cal", "who saw ada"


@pytest.fixture
def vocabulary():
    return Vocabulary([*NAMES, ".", "met", "saw", "who"], num_oov=2)


@pytest.fixture
def encoded(make_example, vocabulary):
    example = make_example(TEXT, QUESTION, document_clusters=(1, 0, 2, 0, 2, 0, 3))
    return EncodedExample.from_example(example, vocabulary)


def words(vocabulary, ids):
    by_id = {vocabulary.id_of(word): word for word in vocabulary.words}
    return tuple(by_id[id] for id in ids.tolist())


def test_names_change_together_and_stay_apart(vocabulary, encoded):
    renaming = EntityRenaming(vocabulary, [NAMES], rate=1.0)
    seen = set()
    for seed in range(200):
        new = renaming(encoded, np.random.default_rng(seed))
        text, question = words(vocabulary, new.document), words(vocabulary, new.query)
        a, b, c = text[0], text[2], text[6]
        assert text == (a, "met", b, ".", b, "saw", c) and question == ("who", "saw", a)
        assert len({a, b, c}) == 3 and {a, b, c} <= set(NAMES)
        seen.add((a, b, c))
    assert len(seen) == 4 * 3 * 2


def test_everything_but_the_words_stays(vocabulary, encoded):
    renaming = EntityRenaming(vocabulary, [NAMES], rate=1.0)
    new = renaming(encoded, np.random.default_rng(3))
    for name in ("document_clusters", "query_clusters", "occurrences"):
        np.testing.assert_array_equal(getattr(new, name), getattr(encoded, name))
    assert (new.answer, new.num_candidates) == (encoded.answer, encoded.num_candidates)
    # The example itself is served again in the next epoch.
    assert words(vocabulary, encoded.document) == tuple(TEXT.split())


@pytest.mark.parametrize("rate", [0.0, 0.25, 1.0])
def test_rate(vocabulary, encoded, rate):
    renaming = EntityRenaming(vocabulary, [NAMES], rate)
    random = np.random.default_rng(0)
    kept = sum(renaming(encoded, random) is encoded for _ in range(2000))
    assert abs(kept / 2000 - (1 - rate)) < 0.04


def test_without_names_nothing_changes(vocabulary, encoded):
    new = EntityRenaming(vocabulary, [], rate=1.0)(encoded, np.random.default_rng(0))
    np.testing.assert_array_equal(new.document, encoded.document)


def test_a_name_stays_in_its_kind(vocabulary, encoded):
    renaming = EntityRenaming(vocabulary, [("ada", "bea"), ("cal", "dan")], rate=1.0)
    seen = set()
    for seed in range(100):
        new = renaming(encoded, np.random.default_rng(seed))
        text = words(vocabulary, new.document)
        seen.add((text[0], text[2], text[6]))
    assert seen == {
        (a, b, c) for a, b in (("ada", "bea"), ("bea", "ada")) for c in ("cal", "dan")
    }


def test_unknown_names_are_nobodys(make_example):
    vocabulary = Vocabulary([*NAMES, ".", "met", "saw", "who"], num_oov=5)
    encoded = EncodedExample.from_example(make_example(TEXT, QUESTION), vocabulary)
    renaming = EntityRenaming(
        vocabulary, [("ada", "bea"), ("cal", "dan")], rate=1.0, unknown=True
    )
    seen = set()
    for seed in range(600):
        new = renaming(encoded, np.random.default_rng(seed))
        a, b, c = (new.document[i] for i in (0, 2, 6))
        assert new.document[4] == b and new.query[2] == a
        assert len({a, b, c}) == 3 and {a, b, c} <= set(range(1, 6))
        others = [i for i in range(len(new.document)) if i not in (0, 2, 4, 6)]
        np.testing.assert_array_equal(new.document[others], encoded.document[others])
        seen.add((a, b, c))
    assert len(seen) == 5 * 4 * 3


def test_too_few_unknown_names(vocabulary):
    with pytest.raises(ValueError, match="`vocabulary` must .*2 buckets, 4 names"):
        EntityRenaming(vocabulary, [NAMES], rate=1.0, unknown=True)


@pytest.mark.parametrize(
    ("kinds", "rate", "message"),
    [
        ([NAMES], 1.5, r"`rate` must be in \[0, 1\].*rate=1.5"),
        ([("ada", "eve")], 0.5, "`kinds` must hold words of the vocabulary.*'eve'"),
        ([("ada", "bea"), ("bea",)], 0.5, "`kinds` must hold .* once.*'bea'"),
    ],
)
def test_errors(vocabulary, kinds, rate, message):
    with pytest.raises(ValueError, match=message):
        EntityRenaming(vocabulary, kinds, rate)
