"""What becomes of a record: order, cut, clusters, case, mentions."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from keras_cgru.coref import Annotation, ExactMatchResolver
from keras_cgru.data.unusable_passage import UnusablePassage
from keras_cgru.data.wikihop.example_parts import support_span
from keras_cgru.data.wikihop.record import WikiHopRecord
from keras_cgru.data.wikihop.record_reader import RecordReader

TEXTS = [
    "Anna Keller came to New Jersey.",
    "She left. Anna saw Tarnow.",
    "Tarnow is old.",
]


def read(record, **settings):
    return RecordReader(**settings).read(record)


class Resolver:
    """Links equal words, and remembers what it was asked."""

    def __init__(self):
        self.asked = []

    def resolve(self, tokens, sentence_starts=None):
        self.asked.append((tokens, sentence_starts))
        return ExactMatchResolver().resolve(tokens, sentence_starts)


@pytest.fixture
def record(make_record):
    candidates = ["new york", "Tarnow", "new jersey"]
    return make_record(supports=TEXTS, candidates=candidates, answer="new jersey")


def test_tokens_are_lower_case_and_kept_as_written(record):
    example = read(record).example
    written = example.metadata["written_document"]
    assert example.document == tuple(token.lower() for token in written)
    assert "Tarnow" in written and "tarnow" in example.document
    assert example.query == ("country_of_citizenship", "anna", "keller")
    assert example.metadata["written_query"] == example.query
    assert example.candidates == (("new", "york"), ("tarnow",), ("new", "jersey"))
    assert example.answer_index == 2


def test_candidates_that_share_a_word_share_no_mention(record):
    example = read(record).example
    york, tarnow, jersey = example.candidate_positions()
    assert york == ()
    assert [example.document[p] for p in jersey] == ["new", "jersey"]
    assert [example.document[p] for p in tarnow] == ["tarnow", "tarnow"]
    york, _, _ = read(record, mention_rule="any_word").example.candidate_positions()
    assert [example.document[p] for p in york] == ["new"]


def test_every_support_starts_a_sentence_and_tokens_know_their_place(record):
    example = read(record).example
    metadata = example.metadata
    assert set(metadata["document_starts"]) < set(metadata["sentence_starts"])
    assert sorted(metadata["support_order"]) == [0, 1, 2]
    for token, written in enumerate(metadata["written_document"]):
        support, start, end = support_span(metadata, token)
        assert TEXTS[support][start:end] == written


def test_seed_and_record_decide_the_order(make_record):
    def orders(**settings):
        found = []
        for number in range(20):
            record = make_record(id=f"WH_{number}", supports=["Galdovia."] * 6)
            example = read(record, **settings).example
            found.append(example.metadata["support_order"])
        return found

    assert orders() == orders() and len(set(orders())) > 10
    assert orders() != orders(order_seed=1)


def test_blank_supports_are_left_out(make_record):
    record = make_record(supports=[" ", "In Galdovia.", "", "Old.\n\n New."])
    metadata = read(record).example.metadata
    assert sorted(metadata["support_order"]) == [1, 3]
    assert len(metadata["document_starts"]) == 2
    assert len(metadata["sentence_starts"]) == 3


def test_the_resolver_reads_what_was_written_and_no_candidate(record):
    resolver = Resolver()
    example = read(record, resolver=resolver).example
    ((tokens, starts),) = resolver.asked
    assert tokens == example.metadata["written_document"]
    assert starts == example.metadata["sentence_starts"]


def test_a_resolver_of_other_tokens_is_refused(record):
    class Other:
        def resolve(self, tokens, sentence_starts=None):
            return Annotation(("a",))

    with pytest.raises(ValueError, match="WH_0: the resolver must annotate the tokens"):
        read(record, resolver=Other())


REASONS = {
    "answer not in document": {"supports": ["Belmark here."]},
    "no candidate in document": {"supports": ["Not in Galdo."]},
    "answer lost to the cut": {"supports": ["Belmark is not", "Galdovia."]},
}


def test_unusable_records_have_a_reason(make_record):
    for reason, change in REASONS.items():
        # The seed puts one of the two first for one id and the other for another.
        reasons = set()
        for number in range(20):
            try:
                read(make_record(id=str(number), **change), max_tokens=2)
            except UnusablePassage as error:
                reasons.add(error.reason)
        assert reasons == {reason}


def test_candidates_of_the_same_tokens_are_merged(make_record):
    candidates = ["galdovia", "Galdovia", "belmark", "zemlia", "e\u0301", "\u00e9"]
    record = make_record(candidates=candidates)
    found = read(record)
    assert [" ".join(c) for c in found.example.candidates] == [
        *("galdovia", "belmark", "zemlia", "\u00e9")
    ]
    assert (found.num_merged, found.num_absent) == (2, 2)


def test_masked_records(make_record):
    record = make_record(
        supports=["___MASK7___ is a town in ___MASK0___'s ___MASK71___."],
        candidates=["___MASK0___", "___MASK7___", "___MASK71___", "___MASK1___"],
        answer="___MASK7___",
    )
    example = read(record).example
    positions = example.candidate_positions()
    assert [[example.document[p] for p in each] for each in positions] == [
        *(["___mask0___"], ["___mask7___"], ["___mask71___"], [])
    ]
    assert example.answer == ("___mask7___",)


KNOWN = [
    # Anna Keller, She, Anna; Tarnow twice.
    [[0, 0, 11], [1, 0, 3], [1, 10, 14]],
    [[1, 19, 25], [2, 0, 6]],
]


def words_of(example):
    """The words of each cluster."""
    clusters = {}
    for word, id in zip(example.document, example.document_clusters, strict=True):
        clusters.setdefault(id, set()).add(word)
    return {frozenset(words) for id, words in clusters.items() if id}


def test_known_clusters_are_taken_where_no_resolver_is_given(record):
    known = WikiHopRecord(**(vars(record) | {"mentions": KNOWN}))
    anna, tarnow = frozenset({"anna", "keller", "she"}), frozenset({"tarnow"})
    assert words_of(read(known).example) == {anna, tarnow}
    resolved = read(known, resolver=ExactMatchResolver())
    assert anna not in words_of(resolved.example)
    assert read(known, num_clusters=0).clusters.num_dropped == 2


def test_the_head_of_the_query_takes_its_cluster_on_request(record):
    known = WikiHopRecord(**(vars(record) | {"mentions": KNOWN}))
    assert read(known).example.query_clusters == (0, 0, 0)
    example = read(known, link_head=True).example
    anna = example.document_clusters[example.document.index("keller")]
    assert anna and example.query_clusters == (0, anna, anna)


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 40), st.integers(0, 20))
def test_a_cut_leaves_links_and_mentions_on_their_words(length, number):
    """Also where a mention stands across the edge, and whichever comes first."""
    record = WikiHopRecord(
        id=str(number),
        query="country anna keller",
        answer="tarnow",
        candidates=("tarnow", "new jersey", "anna keller"),
        supports=(*TEXTS, "Tarnow and Anna Keller and New Jersey."),
        mentions=tuple(tuple(map(tuple, each)) for each in KNOWN),
    )
    whole = read(record, max_tokens=None).example
    try:
        found = read(record, max_tokens=length)
    except UnusablePassage as error:
        assert error.reason == "answer lost to the cut"
        assert "tarnow" not in whole.document[:length]
        return
    cut = found.example
    assert cut.document == whole.document[:length]
    assert found.num_cut == len(whole.document) - len(cut.document)
    starts = cut.metadata["sentence_starts"] + cut.metadata["document_starts"]
    assert all(start < len(cut.document) for start in starts)
    assert len(cut.metadata["token_offsets"]) == 2 * len(cut.document)
    for one, other in zip(
        cut.candidate_positions(), whole.candidate_positions(), strict=True
    ):
        assert set(one) <= set(other)
    # Two tokens are linked only if they were before.
    pairs = list(zip(cut.document_clusters, whole.document_clusters, strict=False))
    assert all(other for one, other in pairs if one)
    assert len(set(pairs) - {(0, other) for _, other in pairs}) == len(
        {one for one, _ in pairs if one}
    )


def test_a_candidate_across_the_edge_is_none(make_record):
    record = make_record(
        supports=["Galdovia saw New York."], candidates=["galdovia", "new york"]
    )
    example = read(record, max_tokens=3).example
    assert example.document == ("galdovia", "saw", "new")
    assert example.candidate_positions() == ((0,), ())


@pytest.mark.parametrize(
    "change",
    [
        *({"num_clusters": -1}, {"max_tokens": 0}, {"order_seed": -1}),
        *({"mention_rule": "some"}, {"near_head": "far"}),
    ],
    ids=str,
)
def test_arguments_are_checked(change):
    (name,) = change
    with pytest.raises(ValueError, match=f"`{name}` must be"):
        RecordReader(**change)
