"""The best weights of a short training, kept in memory."""

from __future__ import annotations

from typing import Any

import keras
import numpy as np

from keras_cgru.callbacks.monitor import Monitor


class BestWeights(keras.callbacks.Callback):
    """Ends a training with the weights that validated best.

    The best have the highest `val_accuracy`; of equals, the lowest `val_loss`. With
    few validation examples many epochs are equal, and
    `keras.callbacks.EarlyStopping` looks at one metric alone. Where one of the two is
    NaN an epoch is never the best.

    Args:
        perfect_below: Training stops where every validation example is answered right
            and `val_loss` is below this. 0 never stops.
        patience: Training stops after so many validations in a row that were not the
            best. None never stops.

    Raises:
        ValueError: `patience` is below 1. At an epoch's end: it was validated without
            one of the two metrics.

    Attributes:
        best: `val_accuracy` and `val_loss` of the best epoch; None before the first
            that was validated.
        best_epoch: Its number, 1 for the first.
    """

    best: tuple[float, float] | None = None
    best_epoch: int | None = None
    _weights: list[np.ndarray] | None = None

    def __init__(self, perfect_below: float = 0.0, patience: int | None = None) -> None:
        super().__init__()
        if patience is not None and patience < 1:
            raise ValueError(
                f"`patience` must be at least 1. Received: patience={patience}"
            )
        self.perfect_below = perfect_below
        self.patience = patience
        self._accuracy = Monitor("val_accuracy", "max")
        self._loss = Monitor("val_loss", "min")

    def on_train_begin(self, logs: dict[str, Any] | None = None) -> None:
        self.best = self.best_epoch = self._weights = None
        self._validations_since = 0

    def on_epoch_end(self, epoch: int, logs: dict[str, Any] | None = None) -> None:
        accuracy, loss = self._accuracy.value(logs), self._loss.value(logs)
        if "val_loss" not in (logs or {}):
            # An epoch without validation (`validation_freq`).
            return
        self._validations_since += 1
        if accuracy is not None and loss is not None:
            key = (accuracy, -loss)
            if self.best is None or key > (self.best[0], -self.best[1]):
                self.best, self.best_epoch = (accuracy, loss), epoch + 1
                self._weights = self.model.get_weights()
                self._validations_since = 0
            if accuracy == 1 and loss < self.perfect_below:
                self.model.stop_training = True
        if self._validations_since == self.patience:
            self.model.stop_training = True

    def on_train_end(self, logs: dict[str, Any] | None = None) -> None:
        if self._weights is not None:
            self.model.set_weights(self._weights)
