"""The sieve on texts that were written for this test, and on public corpora.

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
from keras_cgru.evaluation.gap import gap_scores, read_gap  # noqa: E402

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


@pytest.mark.parametrize("lower", [False, True], ids=["cased", "lower"])
@pytest.mark.parametrize("path", GOLD, ids=lambda path: path.stem)
def test_each_text_far_above_exact_match(path, lower):
    gold = read([path], lower)
    assert f1(SieveResolver(), gold) > max(0.5, f1(ExactMatchResolver(), gold) + 0.2)


def test_each_kind_of_link_is_needed():
    gold = read(GOLD)
    whole = f1(SieveResolver(), gold)
    for left_out in ("names", "nouns", "pronouns", "speakers"):
        links = {"names", "nouns", "pronouns", "speakers"} - {left_out}
        assert f1(SieveResolver(links), gold) < whole - 0.03


@pytest.fixture
def folder():
    if "KERAS_CGRU_DATA" not in os.environ:
        pytest.skip("KERAS_CGRU_DATA names no folder with official data")
    return Path(os.environ["KERAS_CGRU_DATA"]) / "coref"


@pytest.mark.parametrize(("lower", "floor"), [(False, 0.55), (True, 0.51)])
def test_litbank(folder, lower, floor):
    gold = read(sorted(folder.glob("litbank/*.conll")), lower)
    assert f1(SieveResolver(), gold) > floor
    for each in gold:
        assert f1(SieveResolver(), [each]) > f1(ExactMatchResolver(), [each])


@pytest.mark.parametrize("lower", [False, True], ids=["cased", "lower"])
def test_winobias(folder, lower):
    gold = read(sorted(folder.glob("winobias/*_conll")), lower)
    assert len(gold) == 396
    assert f1(SieveResolver(), gold) > max(0.60, f1(ExactMatchResolver(), gold))


@pytest.mark.parametrize(("lower", "floor"), [(False, 0.60), (True, 0.505)])
def test_gap(folder, lower, floor):
    examples = read_gap(folder / "gap" / "gap-validation.tsv")
    texts = [
        [token.lower() if lower else token for token in example.tokens]
        for example in examples
    ]

    def scores(resolver):
        found = map(resolver.resolve, texts)
        return gap_scores(zip(examples, found, strict=True))

    sieve = scores(SieveResolver())
    assert sieve["all"].f1 > floor
    assert sieve["all"].accuracy > scores(ExactMatchResolver())["all"].accuracy
    assert 0.9 < sieve["female"].f1 / sieve["male"].f1 < 1.1
