"""Test a reader once: predictions, and accuracies of both denominators."""

from __future__ import annotations

from typing import Any

import keras

from keras_cgru.data import ReaderDataset, Splits
from keras_cgru.evaluation import Accuracy, write_predictions
from keras_cgru.inspection import write_readings
from keras_cgru.training.answers import (
    Decode,
    best_candidate,
    decode_rows,
    predict_rows,
)
from keras_cgru.training.kept_readings import kept_readings
from keras_cgru.training.run_folder import RunFolder


def evaluate_reader(
    model: keras.Model,
    dataset: ReaderDataset,
    splits: Splits,
    folder: RunFolder,
    decode: Decode = best_candidate,
    separator: str = " ",
) -> dict[str, Any]:
    """Answers the test examples, and stores the answers and what they are about.

    Args:
        model: The reader.
        dataset: Serves the examples of `splits.test`.
        splits: What it was trained and is tested on.
        folder: Where `predictions.jsonl` and `readings.jsonl.gz` go.
        decode, separator: See `predict_answers`.

    Returns:
        What every recipe's `metrics.json` holds: backend and number of parameters, what
        the data is and what must be said beside its figures, the accuracies.
    """
    examples, rows = splits.test.examples, predict_rows(model, dataset)
    predictions = decode_rows(rows, examples, decode, separator)
    write_predictions(folder.predictions, predictions)
    write_readings(
        folder.readings,
        kept_readings(examples, rows, predictions, decode, separator),
    )
    right = (prediction.correct for prediction in predictions)
    accuracy = Accuracy.count(right, splits.test.num_total)
    return {
        "data": splits.label,
        **({"caution": splits.caution} if splits.caution else {}),
        "backend": keras.backend.backend(),
        "parameters": model.count_params(),
        "num_examples": accuracy.num_total,
        "num_used": accuracy.num_used,
        "accuracy_used": accuracy.used,
        "accuracy_overall": accuracy.overall,
    }
