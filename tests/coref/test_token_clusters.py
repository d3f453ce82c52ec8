"""Ids for the layers: innermost mentions, largest clusters, and what falls away."""

import pytest
from coref_strategies import annotations
from hypothesis import given
from hypothesis import strategies as st

from keras_cgru.coref import Annotation, token_clusters

TOKENS = tuple("abcdefgh")


def of(*clusters, **options):
    return token_clusters(Annotation(TOKENS, clusters), **options)


def test_all_tokens_of_a_mention_carry_its_cluster():
    found = of([(4, 7), (0, 2)], [(2, 3), (7, 8)])
    assert found.ids == (1, 1, 2, 0, 1, 1, 1, 2)
    assert (found.num_dropped_clusters, found.num_dropped_tokens) == (0, 0)


def test_the_innermost_mention_gives_the_id():
    # [[his] mother] ... [he] ... [her]
    found = of([(0, 2), (5, 6)], [(0, 1), (4, 5)])
    assert found.ids == (1, 2, 0, 0, 1, 2, 0, 0)
    assert (found.num_dropped_clusters, found.num_dropped_tokens) == (0, 1)


def test_of_equally_long_ones_that_cross_the_later_gives_the_id():
    assert of([(0, 2), (5, 6)], [(1, 3), (6, 7)]).ids == (1, 2, 2, 0, 0, 1, 2, 0)


def test_of_two_clusters_of_one_span_the_first_gives_the_id():
    # "they" of a split antecedent, written into both clusters.
    found = of([(0, 1), (5, 6)], [(2, 3), (5, 6)])
    assert found.ids == (1, 0, 2, 0, 0, 1, 0, 0)
    assert found.num_dropped_tokens == 1


def test_nested_mentions_of_one_cluster_count_once():
    assert of([(0, 3), (1, 2)], k=2).ids[:3] == ((1, 0),) * 3


def test_k_ids_a_token_innermost_first():
    found = of([(0, 4), (7, 8)], [(1, 3), (6, 7)], [(2, 3), (5, 6)], k=2)
    assert found.ids == (
        *((1, 0), (2, 1), (3, 2), (1, 0)),
        *((0, 0), (3, 0), (2, 0), (1, 0)),
    )
    assert found.num_dropped_tokens == 1  # the third, in three clusters


def test_the_clusters_with_most_tokens_stay():
    # Of two mentions each, but the second covers five tokens.
    clusters = [(0, 1), (2, 3)], [(3, 4), (4, 8)], [(1, 2), (2, 3)]
    found = of(*clusters, num_clusters=2)
    assert found.ids == (1, 0, 1, 2, 2, 2, 2, 2)
    assert (found.num_dropped_clusters, found.num_dropped_tokens) == (1, 2)


def test_of_equally_large_ones_the_first_mentioned_stay_and_are_numbered_anew():
    clusters = [(0, 1), (7, 8)], [(1, 2), (2, 3)], [(3, 4), (4, 5), (5, 6)]
    assert of(*clusters).ids == (1, 2, 2, 3, 3, 3, 0, 1)
    found = of(*clusters, num_clusters=2)
    assert found.ids == (1, 0, 0, 2, 2, 2, 0, 1)
    assert found.num_dropped_clusters == 1
    assert of(*clusters, num_clusters=1).ids == (0, 0, 0, 1, 1, 1, 0, 0)


def test_a_token_takes_the_outer_mention_where_the_inner_cluster_went():
    clusters = [(0, 4), (6, 8)], [(1, 2), (5, 6)]
    assert of(*clusters).ids == (1, 2, 1, 1, 0, 2, 1, 1)
    found = of(*clusters, num_clusters=1)
    assert found.ids == (1, 1, 1, 1, 0, 0, 1, 1)
    assert (found.num_dropped_clusters, found.num_dropped_tokens) == (1, 2)


def test_a_cluster_that_others_cover_wholly_is_counted_as_dropped():
    found = of([(0, 2), (4, 6)], [(0, 1), (4, 5)], [(1, 2), (5, 6)])
    assert found.ids == (1, 2, 0, 0, 1, 2, 0, 0)
    assert found.num_dropped_clusters == 1


def test_singletons_link_nothing():
    clusters = [(0, 3)], [(4, 5), (5, 6)]
    assert of(*clusters).ids == (0, 0, 0, 0, 1, 1, 0, 0)
    assert of(*clusters).num_dropped_clusters == 0
    assert of(*clusters, keep_singletons=True).ids == (1, 1, 1, 0, 2, 2, 0, 0)


def test_none_may_stay_and_no_tokens_are_fine():
    found = of([(0, 1), (2, 3)], num_clusters=0)
    assert (found.ids, found.num_dropped_clusters) == ((0,) * 8, 1)
    assert token_clusters(Annotation(()), k=3).ids == ()


def test_bad_arguments_are_named():
    with pytest.raises(ValueError, match="`num_clusters` must be at least 0.*=-1"):
        of(num_clusters=-1)
    with pytest.raises(ValueError, match="`k` must be at least 1. Received: k=0"):
        of(k=0)


def naive(annotation, num_clusters, k, keep_singletons):
    """Token by token, with no shared list of mentions."""
    clusters = [c for c in annotation.clusters if keep_singletons or len(c) > 1]
    covered = [{t for span in c for t in range(*span)} for c in clusters]
    order = sorted(range(len(clusters)), key=lambda c: (-len(covered[c]), c))
    kept = set(order if num_clusters is None else order[:num_clusters])
    chosen, lacking = [], 0
    for token in range(len(annotation.tokens)):
        inside = [c for c in range(len(clusters)) if token in covered[c]]

        def closeness(c, token=token):
            return min(
                (end - start, -start, c)
                for start, end in clusters[c]
                if start <= token < end
            )

        own = sorted((c for c in inside if c in kept), key=closeness)[:k]
        lacking += len(own) < len(inside)
        chosen.append(own)
    numbers = list(dict.fromkeys(c for own in chosen for c in own))
    ids = tuple(
        tuple(numbers.index(c) + 1 for c in own) + (0,) * (k - len(own))
        for own in chosen
    )
    if k == 1:
        ids = tuple(each[0] for each in ids)
    return ids, len(clusters) - len(numbers), lacking


@given(
    annotations(),
    st.none() | st.integers(0, 4),
    st.integers(1, 3),
    st.booleans(),
)
def test_it_equals_a_naive_reference(annotation, num_clusters, k, keep_singletons):
    found = token_clusters(annotation, num_clusters, k, keep_singletons)
    assert (
        found.ids,
        found.num_dropped_clusters,
        found.num_dropped_tokens,
    ) == naive(annotation, num_clusters, k, keep_singletons)
