"""What can be added to what `TensorBoard` writes at the end of an epoch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, Protocol

import keras

from keras_cgru.callbacks.summary_values import Value


class EpochPart(Protocol):
    """Gives values that join the event of an epoch.

    It must not change the model, nor draw random numbers from a generator that the
    training draws from, or a run would differ from one that is not looked at.

    Attributes:
        folder: Whose event they join: the training's, or the validation's.
    """

    folder: Literal["train", "validation"]

    def values(
        self, model: keras.Model, epoch: int, logs: Mapping[str, Any]
    ) -> Sequence[Value]:
        """What there is to show; nothing at most epochs, perhaps.

        Args:
            model: As it is at the end of the epoch.
            epoch: Its number, 0 for the first.
            logs: What Keras gives callbacks then.
        """
        ...
