"""A reader's answers to a data set, in the order of its examples."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import keras
import numpy as np
from keras import ops

from keras_cgru.data import Example, ReaderDataset
from keras_cgru.evaluation import Prediction
from keras_cgru.layers.attention_sum import NO_CANDIDATE

# Takes an example's probabilities and the example to its answer and the answer's
# probability.
Decode = Callable[[np.ndarray, Example], tuple[Sequence[str], float]]
NO_ANSWER: tuple[Sequence[str], float] = ((), 0.0)


def best_candidate(
    probabilities: np.ndarray, example: Example
) -> tuple[Sequence[str], float]:
    """The candidate that collected most attention; padding is no candidate.

    Where none collected any, or several as much as each other, the reader has not
    chosen: there is no answer, of probability 0.
    """
    candidates = probabilities[: len(example.candidates)]
    best = int(candidates.argmax())
    if candidates[best] <= 0 or np.sum(candidates == candidates[best]) > 1:
        return NO_ANSWER
    return example.candidates[best], float(candidates[best])


def predict_answers(
    model: keras.Model,
    dataset: ReaderDataset,
    examples: Sequence[Example],
    decode: Decode = best_candidate,
    separator: str = " ",
) -> list[Prediction]:
    """Predicts and decodes.

    Args:
        model: A reader that gives logits over the last axis.
        dataset: Serves the examples, in batches of any order.
        examples: What the data set was made of.
        decode: See `Decode`.
        separator: Joins the words of an answer.

    Returns:
        One prediction an example, in the examples' order. One for which the reader
        gives NaN has no answer.
    """
    return decode_rows(predict_rows(model, dataset), examples, decode, separator)


def predict_rows(model: keras.Model, dataset: ReaderDataset) -> list[np.ndarray]:
    """The probabilities of each example, in the order of the examples.

    Args:
        model: A reader that gives logits over the last axis.
        dataset: Serves the examples, in batches of any order.

    Returns:
        Each `(candidates,)`, `(num_classes,)` or `(answer_length, num_classes)`,
        padding included; all 0 where nothing can be the answer.
    """
    probabilities = probabilities_of(model.predict(dataset, verbose=0))
    # Full batches serve some examples twice.
    rows = dict(zip(dataset.order.tolist(), probabilities, strict=True))
    return [rows[index] for index in range(len(rows))]


def decode_rows(
    rows: Sequence[np.ndarray],
    examples: Sequence[Example],
    decode: Decode,
    separator: str,
) -> list[Prediction]:
    """The answers that the examples' probabilities stand for."""
    predictions = []
    for row, example in zip(rows, examples, strict=True):
        answer, probability = NO_ANSWER
        if np.isfinite(row).all() and row.any():
            answer, probability = decode(row, example)
        gold, predicted = separator.join(example.answer), separator.join(answer)
        predictions.append(Prediction(example.id, gold, predicted, probability))
    return predictions


def probabilities_of(logits: Any) -> np.ndarray:
    """Softmax over the last axis; NaN where a logit is.

    A candidate that cannot be the answer gets 0, in a row of nothing else, too.
    """
    logits = ops.convert_to_numpy(logits)
    probabilities = ops.convert_to_numpy(ops.softmax(logits, axis=-1))
    # Softmax makes equal shares of a row in which nothing can be the answer.
    can_be = ~(logits <= NO_CANDIDATE)
    return np.where(can_be, probabilities, 0)
