"""Long texts in windows."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from keras_cgru.coref import Annotation, ExactMatchResolver
from keras_cgru.coref.resolvers import WindowedResolver


class Spy:
    """Keeps what it is asked, and links equal words."""

    def __init__(self):
        self.asked = []
        self.inner = ExactMatchResolver(stop_words=())

    def resolve(self, tokens, sentence_starts=None):
        self.asked.append((tuple(tokens), sentence_starts))
        return self.inner.resolve(tokens, sentence_starts)


def windows_of(length, size, overlap, starts=None):
    spy = Spy()
    tokens = [str(position) for position in range(length)]
    WindowedResolver(spy, size, overlap).resolve(tokens, starts)
    return [(int(window[0]), int(window[-1]) + 1) for window, _ in spy.asked]


def test_windows_overlap():
    assert windows_of(10, size=4, overlap=1) == [(0, 4), (3, 7), (6, 10)]
    assert windows_of(4, size=4, overlap=1) == [(0, 4)]
    assert windows_of(5, size=4, overlap=0) == [(0, 4), (4, 5)]


def test_windows_begin_and_end_with_sentences():
    assert windows_of(12, size=6, overlap=1, starts=(0, 3, 5, 9)) == [
        (0, 5),
        (3, 9),
        (5, 11),
        (9, 12),
    ]


def test_a_sentence_longer_than_a_window_is_cut():
    assert windows_of(9, size=4, overlap=1, starts=(0, 8)) == [(0, 4), (3, 7), (6, 9)]


def test_sentences_are_counted_within_the_window():
    spy = Spy()
    WindowedResolver(spy, 6, 1).resolve([str(i) for i in range(12)], (0, 3, 5, 9))
    assert [starts for _, starts in spy.asked] == [(0, 3), (0, 2), (0, 4), (0,)]


def test_clusters_join_over_shared_mentions():
    # The two outer ones never meet in a window; the middle one meets both.
    resolver = WindowedResolver(Spy(), 4, 2)
    tokens = "mary a mary b mary c".split()
    assert resolver.resolve(tokens).clusters == (((0, 1), (2, 3), (4, 5)),)


def test_what_never_meets_stays_apart():
    resolver = WindowedResolver(Spy(), 3, 0)
    tokens = "mary a mary mary b mary".split()
    assert resolver.resolve(tokens).clusters == (
        ((0, 1), (2, 3)),
        ((3, 4), (5, 6)),
    )


class Scripted:
    """Gives the clusters that stand under the first token of the window."""

    def __init__(self, **clusters):
        self.clusters = clusters

    def resolve(self, tokens, sentence_starts=None):
        return Annotation(tokens, self.clusters[tokens[0]])


def test_a_span_of_two_clusters_joins_nothing():
    scripted = Scripted(a=[[(0, 1), (2, 3)], [(1, 2), (2, 3)]], c=[[(0, 1), (2, 3)]])
    annotation = WindowedResolver(scripted, 4, 2).resolve(list("abcdef"))
    assert annotation.clusters == (
        ((0, 1), (2, 3)),
        ((1, 2), (2, 3)),
        ((2, 3), (4, 5)),
    )


def test_one_window_may_join_two_clusters_of_another():
    scripted = Scripted(a=[[(0, 1), (2, 3)], [(1, 2), (3, 4)]], c=[[(0, 1), (1, 2)]])
    annotation = WindowedResolver(scripted, 4, 2).resolve(list("abcdef"))
    assert annotation.clusters == (((0, 1), (1, 2), (2, 3), (3, 4)),)


def test_equal_clusters_of_two_windows_are_one():
    two = [[(2, 3), (3, 4)], [(3, 4), (1, 2)]]
    scripted = Scripted(a=two, c=[[(0, 1), (1, 2)], [(1, 2)]])
    annotation = WindowedResolver(scripted, 4, 2).resolve(list("abcdef"))
    assert annotation.clusters == (((1, 2), (3, 4)), ((2, 3), (3, 4)), ((3, 4),))


class Splitting:
    """Finds sentences of two tokens by itself."""

    def resolve(self, tokens, sentence_starts=None):
        return Annotation(tokens, (), tuple(range(0, len(tokens), 2)))


def test_sentences_that_the_resolver_finds_are_kept():
    resolver = WindowedResolver(Splitting(), 4, 2)
    assert resolver.resolve(list("abcdefgh")).sentence_starts == (0, 2, 4, 6)


def test_other_tokens_are_refused():
    class Other:
        def resolve(self, tokens, sentence_starts=None):
            return Annotation([*tokens, "more"])

    with pytest.raises(ValueError, match="Received: 3 tokens for the 2 from 0 on"):
        WindowedResolver(Other(), 4, 2).resolve(["a", "b"])


@pytest.mark.parametrize(
    ("size", "overlap", "name"), [(0, 0, "size"), (4, 4, "overlap"), (4, -1, "overlap")]
)
def test_impossible_windows(size, overlap, name):
    with pytest.raises(ValueError, match=f"`{name}` must be"):
        WindowedResolver(Spy(), size, overlap)


def test_an_empty_text():
    assert WindowedResolver(Spy(), 4, 2).resolve([]).tokens == ()


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_windows_cover_the_text_and_overlap(data):
    length = data.draw(st.integers(1, 60))
    size = data.draw(st.integers(1, 12))
    overlap = data.draw(st.integers(0, size - 1))
    inner = st.sets(st.integers(1, max(1, length - 1)))
    starts = None
    if data.draw(st.booleans()):
        starts = tuple(sorted({0, *(s for s in data.draw(inner) if s < length)}))
    windows = windows_of(length, size, overlap, starts)
    assert windows[0][0] == 0 and windows[-1][1] == length
    for (_, end), (start, after) in zip(windows, windows[1:], strict=False):
        assert end - start >= overlap
        assert after > end
    assert all(0 < end - start <= size for start, end in windows)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.sampled_from("abcdef"), min_size=1, max_size=40), st.integers(1, 50))
def test_one_window_is_the_resolver_alone(tokens, more):
    resolver = WindowedResolver(Spy(), len(tokens) + more, 0)
    assert resolver.resolve(tokens) == Spy().resolve(tokens)
