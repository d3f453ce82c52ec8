"""Dropped mentions and random links."""

from collections import Counter

import numpy as np
import pytest

from keras_cgru.coref import ExactMatchResolver, RandomLinksResolver
from keras_cgru.coref.perturb import drop_mentions, random_links

IDS = (1, 0, 2, 1, 0, 0, 2, 1, 3, 3)


@pytest.mark.parametrize(("share", "kept"), [(0, 7), (0.3, 5), (0.5, 3), (1, 0)])
def test_so_many_mentions_stay_in_their_clusters(share, kept):
    ids = drop_mentions(IDS, share, np.random.default_rng(0))
    assert sum(id > 0 for id in ids) == kept
    assert all(new in (0, old) for new, old in zip(ids, IDS, strict=True))


def test_a_larger_share_drops_more_of_the_same():
    few, many = (drop_mentions(IDS, s, np.random.default_rng(5)) for s in (0.3, 0.6))
    assert all(
        after == 0 for before, after in zip(few, many, strict=True) if not before
    )


def test_what_is_dropped_depends_on_the_generator():
    drawn = {drop_mentions(IDS, 0.5, np.random.default_rng(n)) for n in range(20)}
    assert len(drawn) > 5


def test_random_links_keep_the_sizes_of_the_clusters():
    drawn = [random_links(IDS, np.random.default_rng(n)) for n in range(20)]
    assert all(Counter(ids) == Counter(IDS) for ids in drawn)
    assert len(set(drawn)) > 10


@pytest.mark.parametrize("share", [-0.1, 1.1])
def test_a_share_out_of_range(share):
    with pytest.raises(ValueError, match=rf"`share` must be in \[0, 1\].*{share}"):
        drop_mentions(IDS, share, np.random.default_rng(0))


def test_nothing_to_drop():
    assert drop_mentions((), 0.5, np.random.default_rng(0)) == ()
    assert drop_mentions((0, 0), 1.0, np.random.default_rng(0)) == (0, 0)


TEXT = "ann saw bob . bob saw ann . then ann left bob and cal".split()


def test_random_links_of_a_resolver():
    exact = ExactMatchResolver()
    resolver = RandomLinksResolver(exact)
    first, again = resolver.resolve(TEXT), resolver.resolve(TEXT)
    assert first == again and first.tokens == tuple(TEXT)
    sizes = sorted(map(len, first.clusters))
    assert sizes == sorted(map(len, exact.resolve(TEXT).clusters)) == [2, 3, 3]
    drawn = {RandomLinksResolver(exact, seed).resolve(TEXT) for seed in range(10)}
    assert len(drawn) > 5
    # Another text has other links, of the same number.
    other = ["dan" if token == "ann" else token for token in TEXT]
    assert resolver.resolve(other).clusters != first.clusters
