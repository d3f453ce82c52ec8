"""One model of annotated texts: canonical, immutable, checked."""

import dataclasses
import random

import pytest
from coref_strategies import annotations
from hypothesis import given
from hypothesis import strategies as st

from keras_cgru.coref import Annotation

TOKENS = tuple("mary saw her cat . it slept".split())


def test_the_order_of_spans_and_clusters_does_not_matter():
    one = Annotation(TOKENS, [[(5, 6), (2, 4)], [(2, 3), (0, 1)]], [0, 5])
    other = Annotation(TOKENS, (((0, 1), (2, 3)), ((2, 4), (5, 6))), (0, 5))
    assert one == other and hash(one) == hash(other)
    assert one.clusters == (((0, 1), (2, 3)), ((2, 4), (5, 6)))


@given(annotations(), st.randoms(use_true_random=False))
def test_any_order_gives_the_same(annotation, rng: random.Random):
    clusters = [rng.sample(each, len(each)) for each in annotation.clusters]
    rng.shuffle(clusters)
    shuffled = Annotation(annotation.tokens, clusters, annotation.sentence_starts)
    assert shuffled == annotation


def test_it_cannot_be_changed():
    annotation = Annotation(list(TOKENS), [[[0, 1], [2, 3]]])
    with pytest.raises(dataclasses.FrozenInstanceError):
        annotation.tokens = ()
    assert isinstance(annotation.tokens, tuple)
    assert annotation.clusters == (((0, 1), (2, 3)),)


def test_spans_may_nest_cross_stand_in_two_clusters_and_cross_sentences():
    clusters = [[(0, 3), (1, 4), (1, 2)], [(1, 2), (3, 6)]]
    assert Annotation(TOKENS, clusters, (0, 5)).clusters[1] == ((1, 2), (3, 6))


def test_an_empty_text_has_no_sentence():
    assert Annotation(()) == Annotation((), (), ())
    assert Annotation(()).sentences == ()


def test_sentences():
    assert Annotation(TOKENS, (), (0, 5)).sentences == ((0, 5), (5, 7))
    assert Annotation(TOKENS).sentences == ((0, 7),)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"tokens": "mary"}, "`tokens` must be a sequence of strings.*'mary'"),
        ({"tokens": ["a", 3]}, "`tokens` must hold strings. Received: 3"),
        ({"clusters": [[(2, 2)]]}, r"`clusters` must hold spans.*\(2, 2\)"),
        ({"clusters": [[(-1, 2)]]}, r"0 <= start < end <= 7.*\(-1, 2\)"),
        ({"clusters": [[(5, 8)]]}, r"Received: \(5, 8\)"),
        ({"clusters": [[]]}, "`clusters` must each hold a span"),
        ({"clusters": [[(0, 1), (0, 1)]]}, r"no span twice in one.*\(0, 1\) twice"),
        ({"clusters": [[(0, 1)], [(0, 1)]]}, "`clusters` must be distinct"),
        ({"clusters": [[(0.0, 1)]]}, "pairs .* of integers"),
        ({"clusters": [[(0, 1, 2)]]}, "pairs .* of integers"),
        ({"sentence_starts": (1, 3)}, "`sentence_starts` must begin with 0"),
        ({"sentence_starts": ()}, "`sentence_starts` must begin with 0"),
        ({"sentence_starts": (0, 3, 3)}, "must rise. Received: 3 before 3"),
        ({"sentence_starts": (0, 7)}, "must be below 7, the tokens. Received: 7"),
        ({"tokens": (), "sentence_starts": (0, 1)}, "must be empty where"),
    ],
)
def test_what_breaks_a_rule_is_named(fields, message):
    with pytest.raises(ValueError, match=message):
        Annotation(**{"tokens": TOKENS, **fields})


def test_without_singletons():
    annotation = Annotation(TOKENS, [[(0, 1)], [(2, 3), (3, 4)]], (0, 5))
    assert annotation.without_singletons() == Annotation(
        TOKENS, [[(2, 3), (3, 4)]], (0, 5)
    )


def test_a_window_cuts_the_mentions_over_its_edges():
    clusters = [[(0, 3), (5, 7)], [(0, 1), (1, 2)], [(3, 4), (6, 7)]]
    window = Annotation(TOKENS, clusters, (0, 5)).window(2, 6)
    assert window == Annotation(TOKENS[2:6], [[(0, 1), (3, 4)], [(1, 2)]], (0, 3))


def test_a_window_may_reach_over_the_end_or_hold_nothing():
    annotation = Annotation(TOKENS, [[(0, 1), (6, 7)]], (0, 5))
    assert annotation.window(0, 99) == annotation
    assert annotation.window(99, 100) == Annotation(())
    assert annotation.window(3, 3) == Annotation(())
    with pytest.raises(ValueError, match="`start` must run from 0 to `end`"):
        annotation.window(3, 2)


@given(annotations(), st.integers(0, 16), st.integers(0, 16))
def test_a_window_keeps_each_token_in_its_clusters(annotation, start, length):
    window = annotation.window(start, start + length)
    assert window.tokens == annotation.tokens[start : start + length]

    def sets(clusters, offset):
        covered = (
            {token + offset for span in each for token in range(*span)}
            for each in clusters
        )
        inside = range(start, start + length)
        return {frozenset(each & set(inside)) for each in covered} - {frozenset()}

    assert sets(window.clusters, start) == sets(annotation.clusters, 0)
