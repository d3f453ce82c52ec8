"""The examples of one bAbI task, and what its answers look like."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from keras_cgru.data.bucket_layout import BucketLayout
from keras_cgru.data.splits import Splits

Head = Literal["attention_sum", "softmax"]


# The same lengths for every task, so that a program is compiled once for all of them.
DOCUMENT_LENGTHS = (
    *range(16, 112, 16),
    *(128, 160, 192, 256, 320, 384, 512, 768, 1408),
)
LENGTH_MULTIPLE = 8  # of queries and candidates


@dataclass(frozen=True, kw_only=True)
class BabiTask(Splits):
    """What a reader needs of a task. All but the examples comes from training alone.

    Args:
        task: Number of the task.
        validation_by: How the validation stories were chosen, in words.
        head: "attention_sum" where every training answer is one word of its passage:
            the candidates of an example are words of its passage. "softmax"
            otherwise: the candidates of every example are `classes`, so an example's
            `answer_index` is its class.
        classes: The distinct training answers, sorted; a list or a path is one class,
            a tuple of its words in the order given.
        answer_words: The distinct words of which the training answers are made, in
            sorted order, for an answer that is decoded word by word.
        entities: The words that form clusters.
        kinds: The same, parted by `entity_kinds`.
        train, validation, test: The usable examples and the count of all questions.
    """

    task: int
    validation_by: str
    head: Head
    classes: tuple[tuple[str, ...], ...]
    answer_words: tuple[str, ...]
    entities: frozenset[str]
    kinds: tuple[frozenset[str], ...]

    @property
    def layout(self) -> BucketLayout:
        """More shapes for longer passages.

        To compile one costs as much as some hundred updates.
        """
        known = [*self.train.examples, *self.validation.examples]
        longest = max(len(example.document) for example in known)
        num_buckets = sum(longest > limit for limit in (0, 50, 75, 100, 150))
        num_buckets += 3 * (longest > 400)
        return BucketLayout.from_examples(
            known, num_buckets, LENGTH_MULTIPLE, DOCUMENT_LENGTHS
        )

    @property
    def test_layout(self) -> BucketLayout:
        """The same, and a shape for test questions that are longer than all others."""
        return self.layout.extended(
            self.test.examples, LENGTH_MULTIPLE, DOCUMENT_LENGTHS
        )

    @property
    def answer_length(self) -> int:
        """Words of the longest training answer."""
        return max(map(len, self.classes))

    def encode_answer(self, answer: Sequence[str], by_word: bool) -> int | list[int]:
        """What a softmax head is to give for an answer.

        Args:
            answer: The words of an example's answer.
            by_word: False for one class an answer; True for `answer_length` places,
                each with a word or none.

        Returns:
            The position among `classes`; or for each place 0 for no word and else 1
            more than the position among `answer_words`.

        Raises:
            ValueError: Training has no such answer, or no such words or length.
        """
        answer = tuple(answer)
        known = set(self.answer_words) if by_word else set()
        if by_word and len(answer) <= self.answer_length and known.issuperset(answer):
            words = [1 + self.answer_words.index(word) for word in answer]
            return words + [0] * (self.answer_length - len(words))
        if by_word or answer not in self.classes:
            kind = "made of training words" if by_word else "a training class"
            raise ValueError(f"`answer` must be {kind}. Received: answer={answer}")
        return self.classes.index(answer)

    def decode_answer(
        self, probabilities: np.ndarray, candidates: Sequence[tuple[str, ...]]
    ) -> tuple[tuple[str, ...], float]:
        """Reads a head's output for one example.

        Args:
            probabilities: `(candidates,)` or more, padded on the right, for one class
                an answer and for words of the passage; `(answer_length,
                1 + len(answer_words))` for an answer by words.
            candidates: Those of the example; words in places need none.

        Returns:
            The likeliest answer and its probability. Of an answer by words the first
            place without a word is the end.
        """
        if probabilities.ndim == 1:
            best = int(probabilities[: len(candidates)].argmax())
            return candidates[best], float(probabilities[best])
        return decode_places(probabilities, self.answer_words)

    @property
    def max_clusters(self) -> int:
        """The largest number of clusters of a passage with its question."""
        return max(
            max(example.document_clusters + example.query_clusters)
            for example in self.examples
        )

    def summary(self) -> str:
        """One line for the user."""
        answers = (
            "words of the passage"
            if self.head == "attention_sum"
            else f"{len(self.classes)} classes"
        )
        return (
            f"task {self.task}: {self.head} over {answers}; training "
            f"{self.train.summary()}, validation {self.validation.summary()}, test "
            f"{self.test.summary()}"
        )


def decode_places(
    probabilities: np.ndarray, answer_words: Sequence[str]
) -> tuple[tuple[str, ...], float]:
    """Reads an answer off place by place; the first place without a word is the end.

    Args:
        probabilities: `(length, 1 + len(answer_words))`, no word first.
        answer_words: The words.

    Returns:
        The words and the product of their probabilities.
    """
    words, probability = [], 1.0
    for place in probabilities:
        best = int(place.argmax())
        probability *= float(place[best])
        if best == 0:
            break
        words.append(answer_words[best - 1])
    return tuple(words), probability
