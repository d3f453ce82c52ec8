"""Accuracy of answers of several words."""

from __future__ import annotations

from typing import Any

import keras
from keras import ops


@keras.saving.register_keras_serializable(package="keras_cgru")
def whole_answer_accuracy(y_true: Any, y_pred: Any) -> Any:
    """Whether every word of an answer is the right one.

    Args:
        y_true: `(batch, length)`, the class of each word.
        y_pred: `(batch, length, classes)`, probabilities or logits.

    Returns:
        `(batch,)`, 1 where the whole answer is right and 0 elsewhere.
    """
    predicted = ops.argmax(y_pred, axis=-1)
    right = ops.equal(ops.cast(y_true, predicted.dtype), predicted)
    return ops.cast(ops.all(right, axis=-1), "float32")
