"""Cross-entropy of answers of several words."""

from __future__ import annotations

from typing import Any

import keras
from keras import ops


@keras.saving.register_keras_serializable(package="keras_cgru")
def whole_answer_cross_entropy(y_true: Any, y_pred: Any) -> Any:
    """The negative log-probability of a whole answer, in nats.

    Args:
        y_true: `(batch, length)`, the class of each word.
        y_pred: `(batch, length, classes)`, logits.

    Returns:
        `(batch,)`, the sum over the words, which are predicted each by itself.
    """
    words = keras.losses.sparse_categorical_crossentropy(
        y_true, y_pred, from_logits=True
    )
    return ops.sum(words, axis=-1)
