"""What a reader made of one example, as plain data that can be kept and shown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from keras_cgru.inspection.answer import Answer
from keras_cgru.inspection.checks import as_sequence, as_tokens, refuse
from keras_cgru.inspection.passage import Passage


@dataclass(frozen=True)
class Reading:
    """One example as a reader, or a resolver alone, saw it.

    Cluster ids of document and query are of one numbering: the same number is the same
    entity in both.

    Args:
        id: The example's name.
        document: What was read, with clusters, alpha and attention.
        query: The question, or the sentence to be completed; may be empty.
        answers: What could have been answered, in any order, no two alike; none where
            nobody was asked.
        gold: The words of the right answer, if it is known. It need not be among the
            answers.
        title: A line for people, in place of the id.
        labels: Whatever else should be seen with it: the run, the model, the data.
            Data that stands in for a corpus should say so here.

    Raises:
        ValueError: A field breaks one of these rules; the message names the example
            and the field.

    Example:

    >>> document = Passage("mary left . she ran".split(), [1, 0, 0, 1, 0])
    >>> answers = [Answer(["mary"], 0.7, [0]), Answer(["john"], 0.3)]
    >>> Reading("1", document, answers=answers, gold=["mary"]).correct
    True
    """

    id: str
    document: Passage
    query: Passage = field(default_factory=Passage)
    answers: tuple[Answer, ...] = ()
    gold: tuple[str, ...] | None = None
    title: str = ""
    labels: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        try:
            self._check()
        except ValueError as error:
            raise ValueError(f"Reading {self.id!r}: {error}") from error

    @cached_property
    def ranked(self) -> tuple[Answer, ...]:
        """The answers, the most probable first; equals stay in the order given."""
        return tuple(sorted(self.answers, key=lambda each: -each.probability))

    @property
    def predicted(self) -> Answer | None:
        """The most probable answer; None where no answer has any probability."""
        best = next(iter(self.ranked), None)
        return best if best is not None and best.probability else None

    @property
    def correct(self) -> bool | None:
        """Whether the answer is the right one; None where that is not known."""
        if self.gold is None or not self.answers:
            return None
        return self.predicted is not None and self.predicted.tokens == self.gold

    @cached_property
    def num_mentions(self) -> Mapping[int, int]:
        """How many mentions each cluster has in document and query together."""
        both = (*self.document.mentions, *self.query.mentions)
        return Counter(mention.cluster for mention in both)

    def _check(self) -> None:
        for name in ("id", "title"):
            if not isinstance(getattr(self, name), str):
                refuse(name, "be a string", getattr(self, name))
        for name in ("document", "query"):
            if not isinstance(getattr(self, name), Passage):
                refuse(name, "be a Passage", getattr(self, name))
        self._check_answers()
        labels = self.labels
        if not isinstance(labels, Mapping) or not all(
            isinstance(text, str) for pair in labels.items() for text in pair
        ):
            refuse("labels", "map strings to strings", labels)

    def _check_answers(self) -> None:
        answers = tuple(as_sequence("answers", self.answers))
        seen: set[tuple[str, ...]] = set()
        for answer in answers:
            if not isinstance(answer, Answer):
                refuse("answers", "hold an Answer each", answer)
            if answer.tokens in seen:
                refuse("answers", "be distinct", answer.tokens)
            seen.add(answer.tokens)
            length = len(self.document.tokens)
            if answer.positions and answer.positions[-1] >= length:
                rule = f"have positions below {length}, the document's tokens"
                refuse("answers", rule, answer.positions[-1])
        object.__setattr__(self, "answers", answers)
        if self.gold is not None:
            gold = as_tokens("gold", self.gold)
            if not gold:
                refuse("gold", "be None, or hold a word", gold)
            object.__setattr__(self, "gold", gold)
