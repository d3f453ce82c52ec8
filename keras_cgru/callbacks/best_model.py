"""The best epoch's model, safe against being killed while it is written."""

from __future__ import annotations

import os
import warnings
from typing import Any

import keras

from keras_cgru.callbacks.metrics_table import read_metrics
from keras_cgru.callbacks.monitor import Mode, Monitor
from keras_cgru.callbacks.path_argument import PathArgument
from keras_cgru.files import atomic_path


class BestModel(keras.callbacks.Callback):
    """Saves the model whenever a metric is better than in all epochs before.

    Unlike `keras.callbacks.ModelCheckpoint` it replaces the file as a whole, and a
    resumed run knows what was reached before from the run's table of epochs. Epochs
    without validation (`validation_freq`) are passed over, as is NaN. A `fit` that
    begins with its first epoch begins anew.

    Args:
        path: The `.keras` file.
        epochs: The run's `metrics.csv` (see `MetricsCSV`); may not exist yet.
        monitor: The metric, as Keras logs it.
        mode: "max" or "min", whichever is better; "auto": as Keras finds out.

    Raises:
        ValueError: `path` is no `.keras` file, or there is no such `mode`. At an
            epoch's end: there is no such metric, or "auto" does not know it.
    """

    path = PathArgument()
    epochs = PathArgument()

    def __init__(
        self,
        path: str | os.PathLike[str],
        epochs: str | os.PathLike[str],
        monitor: str = "val_accuracy",
        mode: Mode = "auto",
    ) -> None:
        super().__init__()
        self.path, self.epochs = path, epochs
        if self.path.suffix != ".keras":
            raise ValueError(f"`path` must end in .keras. Received: {self.path}")
        self.monitor = Monitor(monitor, mode)
        self.best: float | None = None

    def on_train_begin(self, logs: dict[str, Any] | None = None) -> None:
        self._first = True

    def on_epoch_begin(self, epoch: int, logs: dict[str, Any] | None = None) -> None:
        if self._first:
            self.best = self._reached_before(epoch)
        self._first = False

    def on_epoch_end(self, epoch: int, logs: dict[str, Any] | None = None) -> None:
        value = self.monitor.value(logs)
        if value is None or not self.monitor.is_better(value, self.best, self.model):
            return
        with atomic_path(self.path, suffix=".keras") as temporary:
            self.model.save(temporary)
        self.best = value

    def on_train_end(self, logs: dict[str, Any] | None = None) -> None:
        if self.best is None:
            warnings.warn(
                f"{self.path}: no model was saved, since no epoch had a finite "
                f"{self.monitor.name!r}",
                stacklevel=2,
            )

    def _reached_before(self, epoch: int) -> float | None:
        if epoch == 0 or not self.path.exists():
            return None
        if not self.epochs.exists():
            return self.best  # Of an earlier `fit` that kept no table.
        name = self.monitor.name
        rows = [row for row in read_metrics(self.epochs) if row["epoch"] <= epoch]
        values = [row[name] for row in rows if row.get(name) is not None]
        return self.monitor.best(values, self.model)
