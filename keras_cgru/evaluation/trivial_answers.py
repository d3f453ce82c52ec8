"""Answers that need no reading: what a reader must beat to have learnt anything."""

from collections.abc import Iterable, Sequence
from typing import Protocol

import numpy as np

from keras_cgru.evaluation.accuracy import Accuracy


class ClozeExample(Protocol):
    """The part of an example that these answers look at."""

    @property
    def candidates(self) -> Sequence[Sequence[str]]:
        """The possible answers, each a sequence of tokens."""

    @property
    def answer_index(self) -> int:
        """The position of the right one among them."""

    def candidate_positions(self) -> Sequence[Sequence[int]]:
        """For each candidate the document positions that its occurrences cover."""


def trivial_answers(
    examples: Iterable[ClozeExample], seed: int
) -> dict[str, list[int]]:
    """Answer each example in three ways that ignore the question.

    Args:
        examples: The examples, each with at least one candidate.
        seed: Fixes the random answers.

    Returns:
        For each way the index of the candidate it chooses, an entry an example:

        * `random`: any candidate, each with the same probability;
        * `most_frequent`: the one with the most occurrences in the document; of
          several, the one that occurs last;
        * `last`: the one whose last occurrence ends furthest back in the document.

        Candidates that do not occur come after all that do; when none occurs, or the
        same token ends several, the first in the list is chosen.

    Raises:
        ValueError: An example has no candidates; the message says which.
    """
    generator = np.random.default_rng(seed)
    answers: dict[str, list[int]] = {"random": [], "most_frequent": [], "last": []}
    for number, example in enumerate(examples):
        count = _count_candidates(number, example)
        positions = example.candidate_positions()
        last = [max(places, default=-1) for places in positions]
        # Every token of an occurrence is listed, and candidates differ in length.
        frequency_then_last = [
            (len(places) / len(candidate), end)
            for places, candidate, end in zip(
                positions, example.candidates, last, strict=True
            )
        ]
        answers["random"].append(int(generator.integers(count)))
        answers["most_frequent"].append(
            max(range(count), key=frequency_then_last.__getitem__)
        )
        answers["last"].append(max(range(count), key=last.__getitem__))
    return answers


def expected_random_accuracy(examples: Iterable[ClozeExample]) -> float:
    """Compute what random answers score on average: the mean of 1 / candidates.

    Unlike the score of one random draw this has no sampling noise.

    Args:
        examples: The examples, at least one, each with at least one candidate.

    Raises:
        ValueError: There are no examples, or one has no candidates.
    """
    shares = [
        1 / _count_candidates(number, example)
        for number, example in enumerate(examples)
    ]
    if not shares:
        raise ValueError("`examples` must hold at least one. Received: none")
    return sum(shares) / len(shares)


def trivial_accuracies(
    examples: Sequence[ClozeExample], num_total: int
) -> dict[str, dict[str, float]]:
    """Computes what the trivial answers reach, for a recipe's `metrics.json`.

    Args:
        examples: The examples that a reader can use, at least one.
        num_total: All examples of their file.

    Returns:
        For `random` (its expectation), `most_frequent` and `last` the accuracies
        `used` and `overall`.
    """
    expected = expected_random_accuracy(examples)
    share = len(examples) / num_total
    results = {"random": {"used": expected, "overall": expected * share}}
    answers = trivial_answers(examples, seed=0)
    for name in ("most_frequent", "last"):
        pairs = zip(examples, answers[name], strict=True)
        right = [example.answer_index == answer for example, answer in pairs]
        accuracy = Accuracy.count(right, num_total)
        results[name] = {"used": accuracy.used, "overall": accuracy.overall}
    return results


def _count_candidates(number: int, example: ClozeExample) -> int:
    if not example.candidates:
        raise ValueError(
            "`examples` must have candidates each. Received: none in example "
            f"{getattr(example, 'id', number)!r}"
        )
    return len(example.candidates)
