"""Files of other systems and corpora, where they are at hand."""

import os
import re
from pathlib import Path

import pytest

from keras_cgru.coref import Annotation
from keras_cgru.coref.formats import read_allennlp, read_conll2012, read_corenlp

pytestmark = pytest.mark.skipif(
    "KERAS_CGRU_DATA" not in os.environ,
    reason="KERAS_CGRU_DATA names no folder with official data",
)


@pytest.fixture
def folder():
    return Path(os.environ["KERAS_CGRU_DATA"]) / "coref"


def last_columns(path):
    lines = path.read_text(encoding="utf-8").split("\n")
    return [line.split("\t")[-1] for line in lines if "\t" in line]


@pytest.mark.parametrize("pattern", ["litbank/*.conll", "winobias/*_conll"])
def test_all_mentions_of_a_corpus_are_read(folder, pattern):
    paths = sorted(folder.glob(pattern))
    assert paths
    for path in paths:
        documents = [each.annotation for each in read_conll2012(path)]
        columns = last_columns(path)
        assert sum(len(each.tokens) for each in documents) == len(columns)
        num_mentions = sum(len(c) for each in documents for c in each.clusters)
        assert num_mentions == sum(column.count("(") for column in columns)
        num_tokens = sum(
            end - start for each in documents for c in each.clusters for start, end in c
        )
        assert num_tokens == covered(columns)


def covered(columns):
    """Counts tokens row by row: those of the mentions that are open there."""
    total = is_open = 0
    for column in columns:
        is_open += column.count("(")
        total += is_open
        is_open -= len(re.findall(r"\d\)", column))
    return total


def test_the_five_documents_of_litbank(folder):
    sizes = {}
    for path in folder.glob("litbank/*.conll"):
        (document,) = read_conll2012(path)
        sizes[document.id] = len(document.annotation.tokens)
    assert len(sizes) == 5
    assert sizes["1023_bleak_house_brat"] == 2269


def test_the_documents_of_winobias(folder):
    (path,) = folder.glob("winobias/*_conll")
    documents = read_conll2012(path)
    assert len(documents) == len({each.id for each in documents}) == 396
    assert documents[0].annotation.clusters == (((0, 2), (7, 8)),)


def test_the_sample_of_allennlp(folder):
    (document,) = read_allennlp(folder / "formats" / "allennlp.json")
    (cluster,) = document.annotation.clusters
    tokens = document.annotation.tokens
    words = [" ".join(tokens[start:end]) for start, end in cluster]
    assert words == "John . He Mary went She the milk .".split()


def test_the_sample_of_corenlp(folder):
    (document,) = read_corenlp(folder / "formats" / "corenlp.json")
    tokens = "John moved to the office . He grabbed the football there .".split()
    assert document.annotation == Annotation(tokens, [[(0, 1), (6, 7)]], (0, 6))
