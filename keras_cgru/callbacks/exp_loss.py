"""exp(-loss) of the validation, for those who think in probabilities."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import keras

from keras_cgru.callbacks.summary_values import Value, scalar_values


class ExpLoss:
    """Gives `TensorBoard` `epoch_exp(-loss)` of each validation.

    Where the loss is a cross-entropy, this is the geometric mean of the probabilities
    that the model gave to the right answers.

    Args:
        scale: What the loss is multiplied with before: where some rows of the
            validation weigh 0, `rows / examples` makes it a mean over the examples.
    """

    folder: Literal["train", "validation"] = "validation"

    def __init__(self, scale: float = 1.0) -> None:
        self.scale = scale

    def values(
        self, model: keras.Model, epoch: int, logs: Mapping[str, Any]
    ) -> Sequence[Value]:
        loss = logs.get("val_loss")
        if loss is None or not math.isfinite(loss):
            return []
        # A loss far below 0 is no cross-entropy.
        exponent = min(-float(loss) * self.scale, 700.0)
        return scalar_values({"epoch_exp(-loss)": math.exp(exponent)})
