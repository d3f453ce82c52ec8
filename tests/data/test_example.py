"""The schema's rules, and where candidates occur."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keras_cgru.data import Example


def test_clusters_default_to_none(make_example):
    example = make_example("a b c", "d e")
    assert example.document_clusters == (0, 0, 0)
    assert example.query_clusters == (0, 0)
    assert example.metadata == {}


def test_answer_index(make_example):
    assert make_example("a b c", answer=("c",)).answer_index == 2


def test_an_empty_query_is_allowed(make_example):
    assert make_example("a b", "").query_clusters == ()


def test_an_example_does_not_change(make_example):
    with pytest.raises(AttributeError):
        make_example("a b").document = ("c",)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"document": ()}, r"`document` must hold at least one token"),
        ({"document": ["a", "b"]}, "`document` must be a tuple"),
        ({"answer": "a"}, "`answer` must be a tuple"),
        ({"document_clusters": (1,)}, "`document_clusters` must hold one id"),
        ({"document_clusters": (1, -1)}, "`document_clusters` must be 0"),
        ({"query_clusters": (1, 1)}, "`query_clusters` must hold one id"),
        ({"answer": ("z",)}, "`answer` must be one of the candidates"),
        ({"candidates": (("a",), ("b",), ("a",))}, "`candidates` must be distinct"),
        ({"candidates": (("a",), ())}, "`candidates` must be non-empty tuples"),
        ({"candidates": ("a",)}, "`candidates` must be non-empty tuples"),
        ({"candidates": ()}, "`answer` must be one of the candidates"),
    ],
)
def test_a_broken_field_is_named(make_example, changes, message):
    with pytest.raises(ValueError, match=f"Example 'broken': {message}"):
        make_example("a b", **({"id": "broken"} | changes))


def test_candidates_that_share_a_word_share_no_evidence(make_example):
    """Public bug report: "new york" took the evidence of "new jersey"."""
    example = make_example(
        "he left new jersey for st. john 's , québec , in new jersey",
        candidates=(
            ("new", "york"),
            ("new", "jersey"),
            ("st.", "john", "'s"),
            ("québec",),
            ("new",),
        ),
        answer=("new", "jersey"),
    )
    assert example.candidate_positions() == (
        (),
        (2, 3, 12, 13),
        (5, 6, 7),
        (9,),
        (2, 12),
    )


def test_a_candidate_cut_at_the_end_of_the_document_does_not_count(make_example):
    example = make_example("york new", candidates=(("new", "york"), ("york",)))
    assert example.candidate_positions() == ((), (0,))


def test_overlapping_occurrences_cover_each_position_once(make_example):
    example = make_example(
        "a b a b a c", candidates=(("a", "b", "a"),), answer=("a", "b", "a")
    )
    assert example.candidate_positions() == ((0, 1, 2, 3, 4),)


_TOKENS = st.lists(st.sampled_from("abc"), min_size=1, max_size=12).map(tuple)
_CANDIDATES = st.lists(
    st.lists(st.sampled_from("abc"), min_size=1, max_size=3).map(tuple),
    min_size=1,
    unique=True,
).map(tuple)


@given(document=_TOKENS, candidates=_CANDIDATES)
def test_positions_equal_those_of_a_search_at_every_token(document, candidates):
    expected = []
    for candidate in candidates:
        covered = set()
        for start in range(len(document)):
            if document[start : start + len(candidate)] == candidate:
                covered.update(range(start, start + len(candidate)))
        expected.append(tuple(sorted(covered)))
    example = Example("x", document, (), candidates, candidates[0])
    assert example.candidate_positions() == tuple(expected)
