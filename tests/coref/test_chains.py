"""Chains of edges in the released code's form, and back.

`wikihop_edges` and `lambada_edges` say what that code makes of a record: which tokens
enter and leave which chain.
"""

import pytest
from coref_strategies import annotations
from hypothesis import given

from keras_cgru.coref import Annotation
from keras_cgru.coref.chains import (
    clusters_of_mention_chains,
    clusters_of_token_chains,
    mention_chains,
    token_chains,
)

TOKENS = tuple("abcdefgh")


def wikihop_edges(mentions, chains):
    entries, exits = set(), set()
    for number, chain in enumerate(chains):
        for previous, _, following in chain:
            if following != -1:
                entries.add((mentions[following][0], number))
            if previous != -1:
                exits.add((mentions[previous][1] - 1, number))
    return entries, exits


def lambada_edges(chains):
    items = [(number, item) for number, chain in enumerate(chains) for item in chain]
    return {(i[2], n) for n, i in items}, {(i[0], n) for n, i in items}


def test_mentions_by_hand():
    annotation = Annotation(TOKENS, [[(0, 1), (4, 5)], [(0, 3), (4, 5), (6, 8)]])
    mentions, chains = mention_chains(annotation)
    assert mentions == [(0, 1), (0, 3), (4, 5), (6, 8)]
    # The larger cluster first: the released code cuts the list.
    assert chains == [
        [[-1, 0, 1], [1, 0, 2], [2, 0, 3], [3, 0, -1]],
        [[-1, 0, 0], [0, 0, 2], [2, 0, -1]],
    ]


def test_tokens_by_hand():
    annotation = Annotation(TOKENS, [[(0, 3), (4, 6), (7, 8)], [(3, 4)]])
    assert token_chains(annotation) == [[[2, 0, 4], [5, 0, 7]]]


@given(annotations())
def test_every_mention_of_wikihop_is_entered_and_left(annotation):
    mentions, chains = mention_chains(annotation)
    entries, exits = wikihop_edges(mentions, chains)
    order = [clusters_of_mention_chains(mentions, [chain])[0] for chain in chains]
    assert sorted(order) == list(annotation.clusters)
    assert entries == {(s, n) for n, c in enumerate(order) for s, _ in c}
    assert exits == {(e - 1, n) for n, c in enumerate(order) for _, e in c}


@given(annotations())
def test_chains_of_mentions_round_trip(annotation):
    found = clusters_of_mention_chains(*mention_chains(annotation))
    assert (
        Annotation(annotation.tokens, found, annotation.sentence_starts) == annotation
    )


@given(annotations(one_token=True))
def test_chains_of_tokens_round_trip_for_mentions_of_one_token(annotation):
    found = clusters_of_token_chains(token_chains(annotation))
    again = Annotation(annotation.tokens, found, annotation.sentence_starts)
    assert again == annotation.without_singletons()


@given(annotations())
def test_chains_of_tokens_keep_their_edges(annotation):
    once = token_chains(annotation)
    entries, exits = lambada_edges(once)
    linking = annotation.without_singletons().clusters
    assert {t for t, _ in entries} == {s for c in linking for s, _ in c[1:]}
    assert {t for t, _ in exits} == {e - 1 for c in linking for _, e in c[:-1]}
    # What is read of them has all these edges, at least.
    for chain in once:
        (cluster,) = clusters_of_token_chains([chain])
        assert {item[2] for item in chain} <= {start for start, _ in cluster}
        assert {item[0] for item in chain} <= {end - 1 for _, end in cluster}


def test_an_inner_mention_is_rebuilt_from_its_entry_and_exit():
    chains = [[[2, 0, 4], [6, 0, 9], [3, 0, 11]]]
    # [3, 0, 11] leaves before 9 was entered: both stand for themselves.
    assert clusters_of_token_chains(chains) == (
        ((2, 3), (3, 4), (4, 7), (9, 10), (11, 12)),
    )


def test_what_has_no_edge_is_left_out():
    assert clusters_of_token_chains([[]]) == ()
    assert clusters_of_mention_chains([(0, 1), (2, 3)], [[], [[-1, 0, -1]]]) == ()
    same = [[[0, 0, 1]], [[-1, 0, 0], [0, 0, 1]]]
    assert clusters_of_mention_chains([(0, 1), (2, 3)], same) == (((0, 1), (2, 3)),)


@pytest.mark.parametrize("number", [2, -2])
def test_a_mention_that_there_is_not_is_named(number):
    with pytest.raises(ValueError, match=f"must name mentions from 0 to 1.*: {number}"):
        clusters_of_mention_chains([(0, 1), (2, 3)], [[[0, 0, number]]])
