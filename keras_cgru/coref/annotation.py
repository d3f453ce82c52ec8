"""One text with its coreference clusters: the model that all parts share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from operator import index
from typing import NoReturn

Span = tuple[int, int]
Cluster = tuple[Span, ...]


@dataclass(frozen=True)
class Annotation:
    """Tokens, where sentences start, and which spans mean the same.

    A span is a half-open pair of token positions of the whole text, `[start, end)`,
    counted from 0. Spans may nest, cross, and run over the end of a sentence. One span
    may stand in two clusters, as some systems write it; `token_clusters` says what
    becomes of its tokens; so a plural with a split antecedent ("Ann ... Bob ... they")
    stands in the cluster of each. A cluster of one span (a singleton) is kept, though
    it links nothing.

    A discontinuous mention is no span. Its parts are: each stands in the cluster as a
    mention of its own, so a later part links to the one before it, and what follows to
    the last.

    Sequences of any kind are taken and become tuples. The order in which spans and
    clusters are given does not matter: spans are sorted, and clusters by their spans,
    so that equal annotations compare equal.

    Args:
        tokens: The text.
        clusters: The clusters, each of one span or more, no two alike.
        sentence_starts: The position of each sentence's first token, rising from 0. A
            text without tokens has none.

    Raises:
        ValueError: A field breaks one of these rules; the message names the field.

    Example:

    >>> tokens = "mary saw her cat . it slept".split()
    >>> Annotation(tokens, [[(5, 6), (2, 4)], [(2, 3), (0, 1)]], (0, 5)).clusters
    (((0, 1), (2, 3)), ((2, 4), (5, 6)))
    """

    tokens: tuple[str, ...]
    clusters: tuple[Cluster, ...] = ()
    sentence_starts: tuple[int, ...] = (0,)

    def __post_init__(self) -> None:
        tokens = _as_tokens(self.tokens)
        starts = _as_starts(self.sentence_starts, len(tokens))
        clusters = [_as_cluster(each, len(tokens)) for each in self.clusters]
        clusters.sort()
        for one, other in pairwise(clusters):
            if one == other:
                _refuse("clusters", "be distinct", f"{list(one)} twice")
        object.__setattr__(self, "tokens", tokens)
        object.__setattr__(self, "clusters", tuple(clusters))
        object.__setattr__(self, "sentence_starts", starts)

    @property
    def sentences(self) -> tuple[Span, ...]:
        """The span of each sentence."""
        return tuple(pairwise((*self.sentence_starts, len(self.tokens))))

    def without_singletons(self) -> Annotation:
        """The same without the clusters of one span."""
        clusters = tuple(each for each in self.clusters if len(each) > 1)
        return Annotation(self.tokens, clusters, self.sentence_starts)

    def window(self, start: int, end: int) -> Annotation:
        """The part of the text from `start` to before `end`, counted anew from 0.

        A mention over an edge is cut at it, so links stay on the same words. A mention
        wholly outside is left out; clusters that thereby lose all mentions, or become
        equal to another, go.

        Args:
            start: Position of the first token.
            end: Position behind the last; a text may be shorter.

        Raises:
            ValueError: The positions are negative or fall.
        """
        if not 0 <= start <= end:
            _refuse("start", "run from 0 to `end`", f"start={start}, end={end}")
        tokens = self.tokens[start:end]
        cut = (_cut(cluster, start, end) for cluster in self.clusters)
        clusters = {cluster for cluster in cut if cluster}
        # A window that starts within a sentence starts with the rest of it.
        starts = tuple(first for first, _ in _cut(self.sentences, start, end))
        return Annotation(tokens, tuple(clusters), starts)


def _cut(spans: Iterable[Span], start: int, end: int) -> tuple[Span, ...]:
    """What of spans lies in a window, counted from its start, each once."""
    inside = {
        (max(first, start) - start, min(last, end) - start)
        for first, last in spans
        if max(first, start) < min(last, end)
    }
    return tuple(sorted(inside))


def _as_tokens(tokens: Iterable[str]) -> tuple[str, ...]:
    if isinstance(tokens, str):
        rule = (
            "be a sequence of strings; of running text "
            "`keras_cgru.coref.text.tokenise(text)[0]` makes them"
        )
        _refuse("tokens", rule, f"one string, {tokens[:40]!r}")
    tokens = tuple(tokens)
    for token in tokens:
        if not isinstance(token, str):
            _refuse("tokens", "hold strings", f"{token!r}")
    return tokens


def _as_starts(starts: Sequence[int], length: int) -> tuple[int, ...]:
    starts = tuple(map(index, starts))
    if not length:
        # (0,) is the default, which an empty text need not know.
        if starts not in ((), (0,)):
            _refuse("sentence_starts", "be empty where there is no token", f"{starts}")
        return ()
    if not starts or starts[0] != 0:
        _refuse("sentence_starts", "begin with 0", f"{starts[:1]}")
    for one, other in pairwise(starts):
        if one >= other:
            _refuse("sentence_starts", "rise", f"{one} before {other}")
    if starts[-1] >= length:
        _refuse("sentence_starts", f"be below {length}, the tokens", f"{starts[-1]}")
    return starts


def _as_cluster(cluster: Iterable[Sequence[int]], length: int) -> Cluster:
    spans = sorted(_as_span(span, length) for span in cluster)
    if not spans:
        _refuse("clusters", "each hold a span", "a cluster without any")
    for one, other in pairwise(spans):
        if one == other:
            _refuse("clusters", "hold no span twice in one", f"{one} twice")
    return tuple(spans)


def _as_span(span: Sequence[int], length: int) -> Span:
    try:
        start, end = map(index, span)
    except (TypeError, ValueError):
        _refuse("clusters", "hold pairs (start, end) of integers", f"{span!r}")
    if not 0 <= start < end <= length:
        rule = f"hold spans with 0 <= start < end <= {length}, the number of tokens"
        _refuse("clusters", rule, f"({start}, {end})")
    return start, end


def _refuse(name: str, rule: str, received: str) -> NoReturn:
    raise ValueError(f"`{name}` must {rule}. Received: {received}")
