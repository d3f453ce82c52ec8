"""Moves mentions from one tokenisation of a text onto another."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from keras_cgru.coref.annotation import Annotation, Span
from keras_cgru.coref.equal_stretches import equal_stretches
from keras_cgru.coref.text.canonical_text import CanonicalText

_NOWHERE = -1


@dataclass(frozen=True)
class Alignment:
    """An annotation on other tokens, and what found no place there.

    Args:
        annotation: The annotation of the other tokens.
        num_unplaced: How many mentions were left out, of all clusters together.
    """

    annotation: Annotation
    num_unplaced: int


def align(
    annotation: Annotation,
    tokens: Sequence[str],
    sentence_starts: Sequence[int] | None = None,
) -> Alignment:
    """Moves an annotation onto another tokenisation of the same text.

    The two are compared by their characters, without case, accents and white space and
    with one spelling of quotes, dashes, ellipses and `-LRB-`, so it does not matter
    where either splits words. Where the texts differ, a stretch without an equal
    counterpart is skipped and what follows stays in place.

    A mention is placed if its first and its last character have a counterpart, and
    covers all tokens between, those wholly that it covers in part: "largest" of
    "third", "-", "largest" lands on "third-largest". All others are counted and left
    out. Mentions of one cluster that land on the same span become one.

    Args:
        annotation: The text as another system split it.
        tokens: The tokens that the result shall have.
        sentence_starts: Their sentences; None moves those of the annotation, and
            leaves out a start that falls within a token or has no counterpart.

    Returns:
        The annotation of `tokens` and the number of mentions without a place.

    Example:

    >>> found = Annotation("a third - largest city".split(), [[(1, 4), (4, 5)]])
    >>> align(found, ["a", "third-largest", "city"]).annotation.clusters
    (((1, 2), (2, 3)),)
    """
    # Refuses running text.
    tokens = Annotation(tokens).tokens  # type: ignore[arg-type]
    if tokens == annotation.tokens:
        starts = (
            annotation.sentence_starts if sentence_starts is None else sentence_starts
        )
        return Alignment(Annotation(tokens, annotation.clusters, tuple(starts)), 0)
    placer = _Placer(CanonicalText.of(annotation.tokens), CanonicalText.of(tokens))
    clusters = set()
    num_unplaced = 0
    for cluster in annotation.clusters:
        spans = [placer.place(span) for span in cluster]
        num_unplaced += spans.count(None)
        clusters.add(tuple(sorted({span for span in spans if span is not None})))
    starts = (
        placer.move_starts(annotation.sentence_starts)
        if sentence_starts is None
        else tuple(sentence_starts)
    )
    placed = tuple(cluster for cluster in clusters if cluster)
    return Alignment(Annotation(tokens, placed, starts if tokens else ()), num_unplaced)


class _Placer:
    """Knows the counterpart of each of the source's characters."""

    def __init__(self, source: CanonicalText, target: CanonicalText) -> None:
        self.source = source
        self.target = target
        self.counterparts: Sequence[int] = range(len(source.text))
        if source.text != target.text:
            self.counterparts = found = [_NOWHERE] * len(source.text)
            for start, end, other in equal_stretches(source, target):
                found[start:end] = range(other, other + end - start)

    def place(self, span: Span) -> Span | None:
        """Where a span of source tokens lies among the target's; None if nowhere."""
        start, end = (bisect_left(self.source.first, token) for token in span)
        if start == end:
            return None
        one, other = self.counterparts[start], self.counterparts[end - 1]
        if _NOWHERE in (one, other):
            return None
        return self.target.first[one], self.target.last[other] + 1

    def move_starts(self, starts: Sequence[int]) -> tuple[int, ...]:
        """The starts of sentences that are a token's start in the target, too."""
        moved = {0}
        for start in starts:
            position = bisect_left(self.source.first, start)
            if position == len(self.counterparts):
                continue
            found = self.counterparts[position]
            if found == _NOWHERE:
                continue
            token = self.target.first[found]
            if bisect_left(self.target.first, token) == found:
                moved.add(token)
        return tuple(sorted(moved))
