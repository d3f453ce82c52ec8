"""The best epoch's model, safe against being killed while it is written."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import keras

from keras_cgru.callbacks.metrics_csv import read_metrics


class BestModel(keras.callbacks.Callback):
    """Saves the model whenever a validation metric reaches a new maximum.

    Unlike `keras.callbacks.ModelCheckpoint` it replaces the file as a whole, and a
    resumed run knows what was reached before from the run's table of epochs.

    Args:
        path: The `.keras` file.
        epochs: The run's `metrics.csv` (see `MetricsCSV`); may not exist yet.
        monitor: The metric to maximise.
    """

    def __init__(
        self, path: str | Path, epochs: str | Path, monitor: str = "val_accuracy"
    ) -> None:
        super().__init__()
        self.path, self.epochs, self.monitor = Path(path), Path(epochs), monitor
        self.best: float | None = None

    def on_epoch_begin(self, epoch: int, logs: dict[str, Any] | None = None) -> None:
        if self.best is None:
            self.best = self._reached_before(epoch)

    def on_epoch_end(self, epoch: int, logs: dict[str, Any] | None = None) -> None:
        value = float((logs or {})[self.monitor])
        if self.best is not None and value <= self.best:
            return
        self.best = value
        temporary = self.path.with_name(f".{self.path.stem}.tmp.keras")
        self.model.save(temporary)
        os.replace(temporary, self.path)

    def _reached_before(self, epoch: int) -> float | None:
        if not (self.path.exists() and self.epochs.exists()):
            return None
        rows = [row for row in read_metrics(self.epochs) if row["epoch"] <= epoch]
        return max((row[self.monitor] for row in rows), default=None)
