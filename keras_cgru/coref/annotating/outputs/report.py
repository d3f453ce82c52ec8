"""The counts of a run, and what is said of them at its end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from keras_cgru.coref.annotating.outputs.counts import Counts
from keras_cgru.coref.annotating.outputs.part import Failure


@dataclass
class Report:
    """What a run did.

    Args:
        num_documents: Documents annotated, those of an earlier run included.
        num_tokens: Their tokens.
        counts: What was left out or kept once.
        failures: The documents that could not be annotated.
        tokens_here: The tokens that this run annotated itself.
        seconds_here: What they took, over all processes together.
        num_chunks: How many chunks there are.
    """

    num_documents: int = 0
    num_tokens: int = 0
    counts: Counts = Counts()
    failures: list[Failure] = field(default_factory=list)
    tokens_here: int = 0
    seconds_here: float = 0.0
    num_chunks: int = 0
    # Of documents in pieces, by their places, until all pieces are counted.
    _in_pieces: dict[int, int] = field(default_factory=dict)

    def count(self, head: Mapping[str, Any]) -> None:
        """Adds a part."""
        failures = [Failure(**failure) for failure in head["failures"]]
        self.num_chunks += 1
        self.counts += Counts(**head["counts"])
        self.failures += failures
        if head["piece"] is None:
            self.num_documents += len(head["positions"])
            self.num_tokens += head["num_tokens"]
            return
        for position in (*head["positions"], *(each.position for each in failures)):
            before = self._in_pieces.get(position, 0)
            self._in_pieces[position] = before + head["num_tokens"]

    def close(self) -> None:
        """Orders the failures, and counts the documents of which all pieces are well.

        To be called when all parts are added.
        """
        first: dict[int, Failure] = {}
        for failure in self.failures:
            first.setdefault(failure.position, failure)
        self.failures = sorted(first.values(), key=lambda each: each.position)
        for position, num_tokens in self._in_pieces.items():
            if position not in first:
                self.num_documents += 1
                self.num_tokens += num_tokens
        self._in_pieces = {}

    def leave_out(self, unsayable: Sequence[Failure]) -> None:
        """Counts annotated documents as failed that the output cannot hold."""
        self.num_documents -= len(unsayable)
        self.num_tokens -= sum(failure.num_tokens for failure in unsayable)
        self.failures += unsayable

    def metadata(self) -> dict[str, Any]:
        """What a file says of the run that wrote it."""
        repeated = self.counts.num_repeated
        return {
            "num_documents": self.num_documents,
            "num_unplaced": self.counts.num_unplaced,
            **({"num_repeated": repeated} if repeated else {}),
            "failed": [failure.id for failure in self.failures],
        }

    @property
    def total(self) -> int:
        """All documents, those that failed included."""
        return self.num_documents + len(self.failures)

    def lines(self, output: str, seconds: float) -> Iterator[str]:
        """What to say of a run that wrote its output.

        Args:
            output: The file.
            seconds: What the run took.
        """
        yield f"{output}: {self.num_documents:,} documents, {self.num_tokens:,} tokens"
        if self.counts.num_unplaced:
            yield f"{self.counts.num_unplaced:,} mentions had no place in the tokens."
        if self.counts.num_repeated:
            yield f"{self.counts.num_repeated:,} mentions stood twice; one was kept."
        if self.failures:
            yield f"{len(self.failures):,} documents failed and were left out."
        if self.tokens_here:
            yield (
                f"{self.tokens_here:,} tokens in {seconds:.1f} s: "
                f"{self.tokens_here / seconds:,.0f} tokens/s, "
                f"{self.tokens_here / self.seconds_here:,.0f} in each process"
            )
