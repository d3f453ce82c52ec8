"""A reader's answers to a data set, in the order of its examples."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import keras
import numpy as np
from keras import ops

from keras_cgru.data import Example, ReaderDataset
from keras_cgru.evaluation import Prediction

# Takes an example's probabilities and the example to its answer and the answer's
# probability.
Decode = Callable[[np.ndarray, Example], tuple[Sequence[str], float]]


def best_candidate(
    probabilities: np.ndarray, example: Example
) -> tuple[Sequence[str], float]:
    """The candidate that collected most attention; padding is no candidate."""
    best = int(probabilities[: len(example.candidates)].argmax())
    return example.candidates[best], float(probabilities[best])


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
        One prediction an example, in the examples' order.
    """
    logits = model.predict(dataset, verbose=0)
    probabilities = ops.convert_to_numpy(ops.softmax(logits, axis=-1))
    # Full batches serve some examples twice.
    rows = dict(zip(dataset.order.tolist(), probabilities, strict=True))
    predictions = []
    for index, example in enumerate(examples):
        answer, probability = decode(rows[index], example)
        gold, predicted = separator.join(example.answer), separator.join(answer)
        predictions.append(Prediction(example.id, gold, predicted, probability))
    return predictions
