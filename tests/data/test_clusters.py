"""The one way to clusters: a resolver, random links, dropped mentions."""

from collections import Counter

import pytest

from keras_cgru.coref import Annotation, ExactMatchResolver, RandomLinksResolver
from keras_cgru.data import DataSource, ReadResult, Splits, with_clusters
from keras_cgru.data.lambada import simulate_stories


@pytest.fixture
def result():
    stories = tuple(simulate_stories(20, 5))
    return ReadResult(stories, 21, {"too long": 1}, "here")


def ids(example):
    return example.document_clusters + example.query_clusters


class Noting:
    """Links the first and the last token, and notes what it was given."""

    def __init__(self):
        self.calls = []

    def resolve(self, tokens, sentence_starts=None):
        self.calls.append((tuple(tokens), sentence_starts))
        last = len(tokens) - 1
        return Annotation(tuple(tokens), (((0, 1), (last, last + 1)),))


def test_document_and_query_are_one_text(result, make_example):
    resolver = Noting()
    examples = (
        make_example("a b . c", "d e", metadata={"sentence_starts": [0, 3]}),
        make_example("a b", "c"),
    )
    found = with_clusters(ReadResult(examples, 2, {}, "here"), resolver)
    assert resolver.calls == [
        (("a", "b", ".", "c", "d", "e"), [0, 3, 4]),
        (("a", "b", "c"), None),
    ]
    assert found.examples[0].document_clusters == (1, 0, 0, 0)
    assert found.examples[0].query_clusters == (0, 1)


def test_a_query_without_tokens_is_no_sentence(make_example):
    resolver = Noting()
    example = make_example("a b", "", metadata={"sentence_starts": [0]})
    with_clusters(ReadResult((example,), 1, {}, "here"), resolver)
    assert resolver.calls == [(("a", "b"), [0])]


def test_nothing_changes_nothing(result):
    assert with_clusters(result) == result


def test_clusters_that_do_not_fit_are_counted(result):
    found = with_clusters(result, ExactMatchResolver(), num_clusters=1)
    everything = with_clusters(result, ExactMatchResolver())
    assert all(max(ids(example)) <= 1 for example in found.examples)
    dropped = sum(max(max(ids(e)) - 1, 0) for e in everything.examples)
    assert found.num_dropped_clusters == dropped > 0
    assert (found.num_total, found.skipped) == (21, {"too long": 1})


def test_random_links_keep_the_sizes(result):
    drawn = with_clusters(result, random_links=True)
    assert with_clusters(result, random_links=True) == drawn
    for before, after in zip(result.examples, drawn.examples, strict=True):
        assert Counter(ids(before)) == Counter(ids(after))
    assert drawn.examples != result.examples


def test_more_dropped_mentions_drop_the_same_and_more(result):
    def kept(share):
        changed = with_clusters(result, dropped_mentions=share)
        return [
            {n for n, cluster in enumerate(ids(e)) if cluster} for e in changed.examples
        ]

    whole, half, none = kept(0.0), kept(0.5), kept(1.0)
    for all_of, some in zip(whole, half, strict=True):
        assert some < all_of
        assert len(some) == len(all_of) - round(0.5 * len(all_of))
    assert not any(none)
    with pytest.raises(ValueError, match="must be in"):
        kept(1.5)


def test_a_resolver_of_other_tokens_is_refused(result):
    class Other:
        def resolve(self, tokens, sentence_starts=None):
            return Annotation(("x",))

    with pytest.raises(ValueError, match="simulated-train-00000: the resolver must"):
        with_clusters(result, Other())


def test_all_splits_get_the_same(result):
    source = DataSource("simulated")
    splits = Splits(train=result, validation=result, test=result, source=source)
    resolver = RandomLinksResolver(ExactMatchResolver())
    changed = splits.with_clusters(resolver, 5, dropped_mentions=0.25)
    expected = with_clusters(result, resolver, 5, dropped_mentions=0.25)
    assert changed.train == changed.validation == changed.test == expected
    assert changed.source == source
