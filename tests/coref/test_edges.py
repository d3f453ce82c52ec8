"""Entries and exits: as the released code has them, and what falls away."""

import pytest
from coref_strategies import annotations
from hypothesis import given
from hypothesis import strategies as st

from keras_cgru.coref import Annotation, edges

TOKENS = tuple("abcdefgh")


def of(*clusters, **options):
    return edges(Annotation(TOKENS, clusters), **options)


def test_a_mention_reads_at_its_first_token_and_writes_at_its_last():
    found = of([(0, 3), (5, 6)], [(1, 2), (6, 8)])
    assert found.reads == (1, 2, 0, 0, 0, 1, 2, 0)
    assert found.writes == (0, 2, 1, 0, 0, 1, 0, 2)
    assert (found.num_dropped_clusters, found.num_dropped_edges) == (0, 0)


def test_read_from_the_end_entries_and_exits_change_places():
    found = of([(0, 3), (5, 6)])
    assert found.backwards().reads == found.writes
    assert found.backwards().writes == found.reads


def test_where_two_mentions_begin_the_shorter_is_entered():
    clusters = [(0, 3), (5, 6)], [(0, 1), (6, 8)]
    found = of(*clusters)
    assert found.reads[0] == 1 and found.reads[6] == 1
    assert found.writes == (1, 0, 2, 0, 0, 2, 0, 1)
    assert (found.num_dropped_clusters, found.num_dropped_edges) == (0, 1)
    assert of(*clusters, k=2).reads[0] == (1, 2)
    assert of(*clusters, k=2).num_dropped_edges == 0


def test_the_largest_clusters_stay():
    found = of([(0, 1), (2, 3)], [(3, 5), (6, 8)], num_clusters=1)
    assert found.reads == (0, 0, 0, 1, 0, 0, 1, 0)
    assert (found.num_dropped_clusters, found.num_dropped_edges) == (1, 4)


def test_singletons_only_on_demand():
    assert of([(0, 2)]).reads == (0,) * 8
    assert of([(0, 2)], keep_singletons=True).reads == (1, *[0] * 7)


def test_bad_arguments_are_named():
    with pytest.raises(ValueError, match="`k` must be at least 1"):
        of(k=0)


@given(annotations(), st.none() | st.integers(0, 4))
def test_with_enough_ids_every_edge_is_there(annotation, num_clusters):
    found = edges(annotation, num_clusters, k=5, keep_singletons=True)

    def pairs(ids):
        return {(t, c) for t, own in enumerate(ids) for c in own if c}

    entries, exits = pairs(found.reads), pairs(found.writes)
    starts = {(s, n) for n, c in enumerate(annotation.clusters) for s, _ in c}
    ends = {(e - 1, n) for n, c in enumerate(annotation.clusters) for _, e in c}
    kept = {cluster for _, cluster in entries}
    assert kept == {cluster for _, cluster in exits}
    assert kept == set(range(1, len(kept) + 1))
    assert len(kept) + found.num_dropped_clusters == len(annotation.clusters)
    lost = len(starts) + len(ends) - len(entries) - len(exits)
    assert lost == found.num_dropped_edges
    assert {t for t, _ in entries} <= {t for t, _ in starts}
    assert {t for t, _ in exits} <= {t for t, _ in ends}
