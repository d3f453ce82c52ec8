"""Accuracies on full denominators, predictions, and whether two readers differ."""

from keras_cgru.evaluation.accuracy import Accuracy
from keras_cgru.evaluation.compare_runs import Comparison, compare_runs
from keras_cgru.evaluation.mcnemar import McNemarResult, mcnemar
from keras_cgru.evaluation.predictions import (
    Prediction,
    read_predictions,
    write_predictions,
)
from keras_cgru.evaluation.run import Run, read_run
from keras_cgru.evaluation.trivial_answers import (
    expected_random_accuracy,
    trivial_accuracies,
    trivial_answers,
)

__all__ = [
    "Accuracy",
    "Comparison",
    "McNemarResult",
    "Prediction",
    "Run",
    "compare_runs",
    "expected_random_accuracy",
    "mcnemar",
    "read_predictions",
    "read_run",
    "trivial_accuracies",
    "trivial_answers",
    "write_predictions",
]
