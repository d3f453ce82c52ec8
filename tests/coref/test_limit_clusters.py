"""The largest clusters stay, numbered anew."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keras_cgru.coref import limit_clusters


def test_the_largest_stay_and_are_renumbered():
    assert limit_clusters((1, 2, 3, 3, 0, 2, 3), 2) == ((0, 1, 2, 2, 0, 1, 2), 1)


def test_of_equal_ones_the_earlier_stays():
    assert limit_clusters((7, 5, 5, 7, 2, 2), 2) == ((1, 2, 2, 1, 0, 0), 1)


def test_nothing_is_dropped_where_all_fit():
    assert limit_clusters((9, 0, 4), 2) == ((1, 0, 2), 0)
    assert limit_clusters((), 3) == ((), 0)


def test_none_may_stay():
    assert limit_clusters((1, 1, 2), 0) == ((0, 0, 0), 2)


def test_bad_arguments_are_named():
    with pytest.raises(ValueError, match="`num_clusters` must be at least 0"):
        limit_clusters((1,), -1)
    with pytest.raises(ValueError, match="`ids` must not be negative. Received: -2"):
        limit_clusters((1, -2), 1)


@given(st.lists(st.integers(0, 6), max_size=30), st.integers(0, 8))
def test_kept_clusters_keep_their_tokens(ids, num_clusters):
    limited, num_dropped = limit_clusters(ids, num_clusters)
    pairs = {(old, new) for old, new in zip(ids, limited, strict=True) if new}
    sizes = Counter(old for old in ids if old)
    kept = {old for old, _ in pairs}
    assert len(pairs) == len(kept) == min(num_clusters, len(sizes))
    assert num_dropped == len(sizes) - len(kept)
    assert sorted(new for _, new in pairs) == list(range(1, len(kept) + 1))
    for old, size in sizes.items():
        if old not in kept:
            assert all(sizes[other] >= size for other in kept)
