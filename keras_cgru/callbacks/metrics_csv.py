"""Keeps the table of a run's metrics over interruptions."""

import os
import time
from numbers import Real
from typing import Any

import keras

from keras_cgru.callbacks.metrics_table import read_metrics, write_metrics
from keras_cgru.callbacks.path_argument import PathArgument


class MetricsCSV(keras.callbacks.Callback):
    """Keeps a CSV file with one row for each finished epoch.

    The columns are `epoch` (1 for the first), `seconds` (the epoch's wall time,
    validation included) and then the scalars that Keras logs, as `loss` and `val_loss`.
    A repeated epoch takes the place of its earlier row, and rows behind it go: after
    an interruption and a resume the file reads as if neither had happened. It is
    replaced as a whole at each epoch end.

    Args:
        path: The file. Folders are made when needed.

    Raises:
        ValueError: When training begins: the file is there and is no such table.
    """

    path = PathArgument()

    def __init__(self, path: str | os.PathLike[str]) -> None:
        super().__init__()
        self.path = path

    def on_train_begin(self, logs: dict[str, Any] | None = None) -> None:
        # Read before the first epoch, so that a wrong file stops the run at once.
        self._rows = read_metrics(self.path) if self.path.exists() else []

    def on_epoch_begin(self, epoch: int, logs: dict[str, Any] | None = None) -> None:
        self._began = time.perf_counter()

    def on_epoch_end(self, epoch: int, logs: dict[str, Any] | None = None) -> None:
        seconds = round(time.perf_counter() - self._began, 3)
        scalars = {k: v for k, v in (logs or {}).items() if isinstance(v, Real)}
        self._rows = [
            *(row for row in self._rows if row["epoch"] <= epoch),
            {"epoch": epoch + 1, "seconds": seconds, **scalars},
        ]
        write_metrics(self.path, self._rows)
