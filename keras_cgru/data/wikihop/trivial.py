"""Answers to WikiHop's questions that need no reading."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from keras_cgru.data.example import Example
from keras_cgru.data.wikihop.find_mentions import MentionFinder, positions_of
from keras_cgru.evaluation.accuracy import Accuracy
from keras_cgru.evaluation.trivial_answers import trivial_accuracies

# A candidate that is mentioned nowhere comes after all that are.
_NOWHERE = 1 << 60


def wikihop_trivial_accuracies(
    examples: Sequence[Example], num_total: int, train: Sequence[Example] = ()
) -> dict[str, dict[str, float]]:
    """Computes what answers without reading reach, for a recipe's `metrics.json`.

    Args:
        examples: The examples that a reader can use, at least one.
        num_total: All records of their file.
        train: The training examples, for `majority`.

    Returns:
        The accuracies `used` and `overall` of

        * `random`, `most_frequent` and `last`: see `trivial_accuracies`;
        * `first`: the candidate whose first mention comes first;
        * `near_head`: the one with the mention that is fewest tokens from a mention of
          the head entity; where that has none, the first;
        * `majority`: of the candidates, the most frequent answer in training.

        Of several candidates that are equal the first in the list counts.
    """
    found = trivial_accuracies(examples, num_total)
    frequency = Counter(example.answer for example in train)
    ways: dict[str, Callable[[Example], Sequence[int]]] = {
        "first": _first,
        "near_head": _distance_to_head,
        "majority": lambda e: [-frequency[candidate] for candidate in e.candidates],
    }
    for name, costs_of in ways.items():
        right = []
        for example in examples:
            costs = costs_of(example)
            right.append(costs.index(min(costs)) == example.answer_index)
        accuracy = Accuracy.count(right, num_total)
        found[name] = {"used": accuracy.used, "overall": accuracy.overall}
    return found


def _first(example: Example) -> list[int]:
    return [min(places, default=_NOWHERE) for places in example.candidate_positions()]


def _distance_to_head(example: Example) -> list[int]:
    head = example.query[1:]
    spans = MentionFinder(example.document).whole(head) if head else []
    heads = positions_of(spans)
    if not heads:
        return _first(example)
    return [
        min((abs(p - head) for p in places for head in heads), default=_NOWHERE)
        for places in example.candidate_positions()
    ]
