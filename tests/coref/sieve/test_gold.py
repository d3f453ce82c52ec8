"""The sieve on texts that were written and annotated for this test, and on LitBank.

The texts in `gold/` are annotated as OntoNotes is: all kinds of entity, whole noun
phrases, possessive pronouns. The floors lie a little below what the sieve reaches.
"""

import os
from pathlib import Path

import pytest

from keras_cgru.coref import Annotation, ExactMatchResolver
from keras_cgru.coref.formats import read_conll2012
from keras_cgru.coref.sieve import SieveResolver

pytest.importorskip("scorch", reason="scores need scorch")

from keras_cgru.evaluation.coref_scores import coref_scores  # noqa: E402

GOLD = sorted((Path(__file__).parent / "gold").glob("*.conll"))


def read(paths, lower=False):
    gold = [document.annotation for path in paths for document in read_conll2012(path)]
    if not lower:
        return gold
    return [
        Annotation(
            tuple(token.lower() for token in each.tokens),
            each.clusters,
            each.sentence_starts,
        )
        for each in gold
    ]


def f1(resolver, gold):
    found = [resolver.resolve(each.tokens, each.sentence_starts) for each in gold]
    return coref_scores(gold, found).conll_f1


def test_there_are_texts():
    assert len(GOLD) >= 8


@pytest.mark.parametrize("lower", [False, True], ids=["cased", "lower"])
def test_floor(lower):
    gold = read(GOLD, lower)
    assert f1(SieveResolver(), gold) > 0.70
    assert f1(ExactMatchResolver(), gold) < 0.20


@pytest.mark.parametrize("path", GOLD, ids=lambda path: path.stem)
def test_each_text_far_above_exact_match(path):
    gold = read([path])
    assert f1(SieveResolver(), gold) > max(0.5, f1(ExactMatchResolver(), gold) + 0.2)


def test_each_kind_of_link_is_needed():
    gold = read(GOLD)
    whole = f1(SieveResolver(), gold)
    for left_out in ("names", "nouns", "pronouns", "speakers"):
        links = {"names", "nouns", "pronouns", "speakers"} - {left_out}
        assert f1(SieveResolver(links), gold) < whole - 0.03


@pytest.fixture
def litbank():
    if "KERAS_CGRU_DATA" not in os.environ:
        pytest.skip("KERAS_CGRU_DATA names no folder with official data")
    return sorted(Path(os.environ["KERAS_CGRU_DATA"]).glob("coref/litbank/*.conll"))


@pytest.mark.parametrize(("lower", "floor"), [(False, 0.55), (True, 0.51)])
def test_litbank(litbank, lower, floor):
    gold = read(litbank, lower)
    assert f1(SieveResolver(), gold) > floor
    for each in gold:
        assert f1(SieveResolver(), [each]) > f1(ExactMatchResolver(), [each])
