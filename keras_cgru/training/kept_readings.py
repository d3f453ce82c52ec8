"""What a run keeps of the examples that it was tested on, to be looked at later."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from keras_cgru.data import Example
from keras_cgru.evaluation import Prediction
from keras_cgru.inspection import Answer, Reading, reading_of_example
from keras_cgru.training.answers import Decode, best_candidate

# So many answers are kept, and the right one; and the label that says it.
MOST_ANSWERS = 10
ANSWERS = "answers"


def kept_readings(
    examples: Sequence[Example],
    rows: Sequence[np.ndarray],
    predictions: Sequence[Prediction],
    decode: Decode,
    separator: str = " ",
) -> Iterator[Reading]:
    """Yields the examples with their texts, clusters, and most probable answers.

    Args:
        examples: What was asked.
        rows: See `predict_rows`.
        predictions: The answers to the same.
        decode: What made them of the rows: `best_candidate` leaves the candidates'
            probabilities, others the answer's alone.
        separator: What joined the words of an answer.
    """
    for example, row, prediction in zip(examples, rows, predictions, strict=True):
        if decode is best_candidate:
            # Not rounded, or others than the answer might be as probable as it is.
            chances = [float(str(chance)) for chance in row[: len(example.candidates)]]
            if not prediction.predicted:  # It has not chosen.
                chances = [0.0] * len(chances)
            reading = reading_of_example(example, chances)
            yield _without_the_least(reading)
            continue
        words = prediction.predicted.split(separator) if prediction.predicted else []
        answers = [Answer(tuple(words), prediction.probability)] if words else []
        yield reading_of_example(example, answers=answers)


def _without_the_least(reading: Reading) -> Reading:
    """With the first few answers and the right one, in their own order."""
    first = set(reading.ranked[:MOST_ANSWERS])
    kept = tuple(
        answer
        for answer in reading.answers
        if answer in first or answer.tokens == reading.gold
    )
    if len(kept) == len(reading.answers):
        return reading
    said = f"{len(kept)} of {len(reading.answers)} kept"
    return replace(reading, answers=kept, labels={**reading.labels, ANSWERS: said})
