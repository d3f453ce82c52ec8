"""Long texts in overlapping windows, for resolvers that cannot read them whole."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

from keras_cgru.coref.annotation import Annotation, Cluster, Span
from keras_cgru.coref.resolver import Resolver, check_tokens
from keras_cgru.coref.resolvers.foreign import no_tokens


class WindowedResolver:
    """Resolves a long text window by window and joins what the windows share.

    A window holds at most `size` tokens, and the next one begins `overlap` tokens
    before its end. Where sentences are known both edges are moved to the start of one:
    the end back, as long as more than the overlap is left, the beginning back too, so
    that the overlap only grows. A text of at most `size` tokens is one window.

    Two clusters of different windows become one where they share a mention, the same
    span in both. A span that stands in two clusters of one window joins nothing: it
    does not say which of the two is meant. What only meets outside every common
    window stays apart: links are found over `size` tokens at most, plus what chains
    of shared mentions add.

    Args:
        resolver: Resolves each window.
        size: Tokens in a window.
        overlap: Tokens that two neighbours share; below `size`.

    Raises:
        ValueError: `size` is below 1, or `overlap` is negative or not below `size`.

    Example:

    >>> from keras_cgru.coref import ExactMatchResolver
    >>> resolver = WindowedResolver(ExactMatchResolver(), size=4, overlap=2)
    >>> resolver.resolve("mary ran mary hid mary sat".split()).clusters
    (((0, 1), (2, 3), (4, 5)),)
    """

    def __init__(self, resolver: Resolver, size: int, overlap: int) -> None:
        if size < 1:
            raise ValueError(f"`size` must be at least 1. Received: size={size}")
        if not 0 <= overlap < size:
            raise ValueError(
                f"`overlap` must be from 0 to below `size` ({size}). "
                f"Received: overlap={overlap}"
            )
        self.resolver = resolver
        self.size = size
        self.overlap = overlap

    @property
    def num_unplaced(self) -> int:
        """How many mentions the wrapped resolver could not place so far."""
        return getattr(self.resolver, "num_unplaced", 0)

    @property
    def num_repeated(self) -> int:
        """How many mentions the wrapped resolver was given twice so far."""
        return getattr(self.resolver, "num_repeated", 0)

    def resolve(
        self, tokens: Sequence[str], sentence_starts: Sequence[int] | None = None
    ) -> Annotation:
        """Annotates a text.

        Args:
            tokens: The text.
            sentence_starts: Its sentences; None cuts windows anywhere.

        Returns:
            The joined clusters of all windows.

        Raises:
            ValueError: The wrapped resolver annotated other tokens than it was given.
        """
        check_tokens(tokens)
        if not tokens:
            return no_tokens()
        tokens = tuple(tokens)
        clusters: list[list[Cluster]] = []
        starts = [] if sentence_starts is None else list(sentence_starts)
        behind = 0
        for start, end in self._windows(len(tokens), sentence_starts):
            found = self._resolve_window(tokens, sentence_starts, start, end)
            clusters.append([_shifted(each, start) for each in found.clusters])
            if sentence_starts is None:
                # Of the overlap the window before knows what precedes it. A window's
                # own first start is none of the text's, except the very first.
                shifted = (start + first for first in found.sentence_starts)
                starts += [s for s in shifted if s >= behind and (s > start or not s)]
            behind = end
        return Annotation(tokens, _joined(clusters), tuple(starts))

    def _windows(
        self, length: int, sentence_starts: Sequence[int] | None
    ) -> Iterator[Span]:
        starts = sentence_starts or ()
        start = behind = 0
        while True:
            end = min(start + self.size, length)
            if end < length:
                end = _sentence_at(starts, max(behind, start + self.overlap), end)
            yield start, end
            if end == length:
                return
            start, behind = _sentence_at(starts, start, end - self.overlap), end

    def _resolve_window(
        self,
        tokens: tuple[str, ...],
        sentence_starts: Sequence[int] | None,
        start: int,
        end: int,
    ) -> Annotation:
        window = tokens[start:end]
        inner: tuple[int, ...] | None = None
        if sentence_starts is not None:
            first = bisect_left(sentence_starts, start + 1)
            last = bisect_left(sentence_starts, end)
            inner = (0, *(s - start for s in sentence_starts[first:last]))
        found = self.resolver.resolve(window, inner)
        if found.tokens != window:
            raise ValueError(
                "`resolver` must annotate the tokens it was given. "
                f"Received: {len(found.tokens)} tokens for the {len(window)} from "
                f"{start} on"
            )
        return found


def _sentence_at(starts: Sequence[int], above: int, position: int) -> int:
    """The last sentence start up to `position`, or that where none is above `above`."""
    at = bisect_right(starts, position) - 1
    return starts[at] if at >= 0 and starts[at] > above else position


def _shifted(cluster: Cluster, offset: int) -> Cluster:
    return tuple((start + offset, end + offset) for start, end in cluster)


def _joined(windows: list[list[Cluster]]) -> tuple[Cluster, ...]:
    """Joins clusters of different windows that share a span."""
    clusters = [cluster for window in windows for cluster in window]
    parent = list(range(len(clusters)))

    def root(index: int) -> int:
        while parent[index] != index:
            parent[index] = parent[parent[index]]
            index = parent[index]
        return index

    seen: dict[Span, int] = {}
    first = 0
    for window in windows:
        owners = _sole_owners(window, first)
        for span, index in owners.items():
            if span in seen:
                parent[root(index)] = root(seen[span])
            seen[span] = index
        first += len(window)
    merged: dict[int, set[Span]] = {}
    for index, cluster in enumerate(clusters):
        merged.setdefault(root(index), set()).update(cluster)
    # Two windows may give the same cluster by a span that joins nothing.
    return tuple({tuple(sorted(spans)) for spans in merged.values()})


def _sole_owners(window: list[Cluster], first: int) -> dict[Span, int]:
    """For each span that one cluster of a window holds alone, that cluster's index."""
    owners: dict[Span, int] = {}
    shared: set[Span] = set()
    for index, cluster in enumerate(window, start=first):
        for span in cluster:
            if span in owners:
                shared.add(span)
            owners[span] = index
    return {span: index for span, index in owners.items() if span not in shared}
