"""What a resolver gets wrong, mention by mention."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from keras_cgru.coref.annotation import Annotation, Span
from keras_cgru.coref.sieve.pronouns import NEUTER, PLURAL, PRONOUNS

KINDS = ("missed", "spurious", "wrong antecedent")
MENTIONS = ("I, you, we", "he, she", "they", "it", "other")


@dataclass(frozen=True)
class CorefError:
    """One mention that is judged wrongly.

    Args:
        kind: "missed": the gold links it, the resolver does not. "spurious": the other
            way round. "wrong antecedent": the nearest earlier mention that both link
            is, in the gold, of another cluster.
        mention: A member of `MENTIONS`.
        document: The document's position.
        span: The mention.
        antecedent: Of a wrong antecedent, that mention.
    """

    kind: str
    mention: str
    document: int
    span: Span
    antecedent: Span | None = None

    def show(self, tokens: Sequence[str], around: int = 8) -> str:
        """The mention in its context."""
        start, end = self.span
        before = " ".join(tokens[max(start - around, 0) : start])
        after = " ".join(tokens[end : end + around])
        text = f"{before} [{' '.join(tokens[start:end])}] {after}".strip()
        if self.antecedent is None:
            return text
        first, last = self.antecedent
        return f"{text}  <- {' '.join(tokens[first:last])}"


def coref_errors(
    gold: Sequence[Annotation], found: Sequence[Annotation]
) -> Iterator[CorefError]:
    """Yields the errors of the documents in order, by their position in the text.

    Clusters of one mention are left out on both sides. A span in two clusters counts
    for the last.
    """
    for number, (right, said) in enumerate(zip(gold, found, strict=True)):
        key, response = _cluster_of(right), _cluster_of(said)
        latest: dict[int, Span] = {}
        for span in sorted(key.keys() | response.keys()):
            mention = _mention(right.tokens[span[0] : span[1]])
            if span not in response:
                yield CorefError("missed", mention, number, span)
            elif span not in key:
                yield CorefError("spurious", mention, number, span)
            else:
                before = latest.get(response[span])
                if before is not None and key[before] != key[span]:
                    yield CorefError("wrong antecedent", mention, number, span, before)
                latest[response[span]] = span


def _cluster_of(annotation: Annotation) -> dict[Span, int]:
    return {
        span: number
        for number, cluster in enumerate(annotation.clusters)
        for span in cluster
        if len(cluster) > 1
    }


def _mention(tokens: Sequence[str]) -> str:
    pronoun = PRONOUNS.get(tokens[0].lower()) if len(tokens) == 1 else None
    if pronoun is None:
        return "other"
    if pronoun.person != 3:
        return "I, you, we"
    if pronoun.number == PLURAL:
        return "they"
    return "it" if pronoun.gender == NEUTER else "he, she"
