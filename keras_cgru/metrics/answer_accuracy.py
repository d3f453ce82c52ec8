"""Accuracy of a choice among candidates or classes, in which a tie is no answer."""

from __future__ import annotations

from typing import Any

import keras
from keras import ops

# `AttentionSum` gives -1e9 to what cannot be the answer; no other logit is as low.
IMPOSSIBLE = -1e8


@keras.saving.register_keras_serializable(package="keras_cgru")
def answer_accuracy(y_true: Any, y_pred: Any) -> Any:
    """Whether the right answer has a higher logit than all others.

    Keras's own accuracy takes the first of equals: in a row where the document
    mentions no candidate, and all logits are equal, the one that stands first would
    count as answered. Here such a row is wrong, as is one with NaN.

    Args:
        y_true: `(batch,)` or `(batch, 1)`, the position of the right answer.
        y_pred: `(batch, answers)`, logits, as of `AttentionSum(logits=True)`.

    Returns:
        `(batch,)`, 1 where the answer is right and 0 elsewhere.
    """
    num_answers = ops.shape(y_pred)[-1]
    y_true = ops.cast(ops.reshape(y_true, (-1, 1)), "int32")
    is_gold = ops.equal(ops.arange(num_answers, dtype="int32"), y_true)
    gold = ops.max(ops.where(is_gold, y_pred, -float("inf")), axis=-1)
    # No number is larger than NaN or smaller, so that neither side may be one.
    below = ops.logical_or(is_gold, ops.less(y_pred, ops.expand_dims(gold, -1)))
    right = ops.logical_and(ops.all(below, axis=-1), ops.greater(gold, IMPOSSIBLE))
    return ops.cast(right, "float32")
