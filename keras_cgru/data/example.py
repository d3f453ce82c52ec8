"""One cloze question over one document: the schema that all readers share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any


@dataclass(frozen=True)
class Example:
    """A document, a question about it and the candidates to choose from.

    Cluster ids run from 1; 0 means that a token belongs to none. The query's ids are
    those of the document: the same number is the same entity in both.

    Args:
        id: Unique and stable name, used in errors and in predictions.
        document: Tokens of the document, at least one.
        query: Tokens of the query; may be empty.
        candidates: The possible answers, each a tuple of tokens, no two alike.
        answer: The right candidate.
        document_clusters: One id a document token; all zeros when left out.
        query_clusters: One id a query token; all zeros when left out.
        metadata: Whatever else the source says, kept as it came.
        mentions: For each candidate the document positions of its mentions, rising;
            None where they are the occurrences of its tokens.

    Raises:
        ValueError: A field breaks one of these rules; the message names the example
            and the field.
    """

    id: str
    document: tuple[str, ...]
    query: tuple[str, ...]
    candidates: tuple[tuple[str, ...], ...]
    answer: tuple[str, ...]
    document_clusters: tuple[int, ...] = ()
    query_clusters: tuple[int, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict)
    mentions: tuple[tuple[int, ...], ...] | None = None

    def __post_init__(self) -> None:
        for name in ("document", "query", "candidates", "answer"):
            if not isinstance(getattr(self, name), tuple):
                self._refuse(name, "be a tuple", getattr(self, name))
        if not self.document:
            self._refuse("document", "hold at least one token", self.document)
        self._default_and_check_clusters("document")
        self._default_and_check_clusters("query")
        self._check_candidates()
        self._check_mentions()

    @property
    def answer_index(self) -> int:
        """The position of the answer among the candidates."""
        return self.candidates.index(self.answer)

    def candidate_positions(self) -> tuple[tuple[int, ...], ...]:
        """Finds where each candidate occurs in the document.

        A candidate is matched as a whole sequence of tokens, so "new york" takes
        nothing from "new jersey". Where the example knows the `mentions`, these are it.

        Returns:
            For each candidate the document positions that its occurrences cover, in
            rising order and each once.
        """
        if self.mentions is not None:
            return self.mentions
        by_first_token: dict[str, list[int]] = {}
        for index, candidate in enumerate(self.candidates):
            by_first_token.setdefault(candidate[0], []).append(index)
        positions: list[list[int]] = [[] for _ in self.candidates]
        for start, token in enumerate(self.document):
            for index in by_first_token.get(token, ()):
                candidate = self.candidates[index]
                end = start + len(candidate)
                if self.document[start:end] == candidate:
                    # Occurrences such as those of "a b a" in "a b a b a" overlap.
                    covered = positions[index]
                    first = max(start, covered[-1] + 1) if covered else start
                    covered.extend(range(first, end))
        return tuple(map(tuple, positions))

    def _default_and_check_clusters(self, side: str) -> None:
        name = f"{side}_clusters"
        clusters, length = getattr(self, name), len(getattr(self, side))
        if not clusters:
            object.__setattr__(self, name, (0,) * length)
            return
        if len(clusters) != length:
            self._refuse(name, f"hold one id a {side} token ({length})", len(clusters))
        if min(clusters) < 0:
            self._refuse(name, "be 0 (none) or a positive id", min(clusters))

    def _check_candidates(self) -> None:
        seen: set[tuple[str, ...]] = set()
        for candidate in self.candidates:
            if not isinstance(candidate, tuple) or not candidate:
                self._refuse("candidates", "be non-empty tuples of tokens", candidate)
            if candidate in seen:
                self._refuse("candidates", "be distinct", candidate)
            seen.add(candidate)
        if self.answer not in seen:
            self._refuse("answer", "be one of the candidates", self.answer)

    def _check_mentions(self) -> None:
        if self.mentions is None:
            return
        if len(self.mentions) != len(self.candidates):
            rule = f"be one tuple a candidate ({len(self.candidates)})"
            self._refuse("mentions", rule, len(self.mentions))
        for positions in self.mentions:
            bounds = (-1, *positions, len(self.document))
            if not all(one < other for one, other in pairwise(bounds)):
                rule = f"be positions in 0..{len(self.document) - 1}, rising"
                self._refuse("mentions", rule, positions)

    def _refuse(self, name: str, rule: str, received: object) -> None:
        raise ValueError(
            f"Example {self.id!r}: `{name}` must {rule}. Received: {received!r}"
        )
