"""Questions about texts of one's own."""

import numpy as np
import pytest

from keras_cgru.data.wikihop.asker import WikiHopAsker
from keras_cgru.data.wikihop.record_reader import RecordReader
from keras_cgru.data.wikihop.splits import load_splits

ASKER = WikiHopAsker(RecordReader(order_seed=None))
TEXT = "Anna Keller joined Brandt Mills.\n\nBrandt Mills is in Tarnow. It is old."
QUERY = "town_of_workplace anna keller"


@pytest.mark.parametrize(
    "document",
    [TEXT, TEXT.split("\n\n"), tuple(TEXT.replace(".", " .").split())],
    ids=["string", "documents", "tokens"],
)
def test_documents_in_any_form(document):
    example = ASKER.example(document, QUERY, candidates=["hallau", "tarnow"])
    assert " ".join(example.document) == (
        "anna keller joined brandt mills . brandt mills is in tarnow . it is old ."
    )
    assert example.query == ("town_of_workplace", "anna", "keller")
    assert example.candidates == (("hallau",), ("tarnow",))
    assert example.candidate_positions() == ((), (10,))
    assert len(example.metadata["document_starts"]) == 2 - isinstance(document, tuple)
    clusters = example.document_clusters
    assert clusters[3] and {*clusters[3:5], *clusters[6:8]} == {clusters[3]}


def test_without_candidates_the_names_are_meant():
    example = ASKER.example(TEXT, QUERY)
    assert [" ".join(each) for each in example.candidates] == [
        *("anna keller", "brandt mills", "tarnow")
    ]
    lower = ASKER.example("anna is in tarnow", "place anna")
    assert lower.candidates == (("anna",), ("tarnow",))


def test_answers_are_the_candidates():
    example = ASKER.example(TEXT, QUERY)
    answers = ASKER.answers(np.array([0.25, 0.5, 0.25, 0.0]), example)
    assert answers[1] == (("brandt", "mills"), 0.5) and len(answers) == 3


REFUSED = {
    "no text": ((" ", QUERY), "`document` must hold a word"),
    "no query": ((TEXT, ""), "`query` must hold a relation"),
    "number": ((3, QUERY), "`document` must be a string"),
    "no candidate": ((TEXT, QUERY, "q", ["hallau"]), "must hold a candidate"),
    "stop words": (("the of", QUERY), "must hold a candidate"),
}


@pytest.mark.parametrize("given, message", REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_asked_is_refused(given, message):
    with pytest.raises(ValueError, match=message):
        ASKER.example(*given)
    with pytest.raises(ValueError, match="completes no stories"):
        ASKER.split_story(TEXT)


def test_of_a_run():
    splits = load_splits(simulated=True, limit=2, num_clusters=7, max_tokens=300)
    config = {"settings": {"resolver": "sieve"}, "data": splits.provenance()}
    reader = WikiHopAsker.of_config(config).reader
    assert (reader.num_clusters, reader.max_tokens, reader.order_seed) == (7, 300, None)
    assert reader.resolver is not None and reader.near_head == "anywhere"
    with pytest.raises(ValueError, match='"reading" of its "data"'):
        WikiHopAsker.of_config({"settings": {}, "data": {}})
    stored = config | {"settings": {"annotations": ["a.parquet"]}}
    with pytest.raises(ValueError, match="`resolver` must be given"):
        WikiHopAsker.of_config(stored)
