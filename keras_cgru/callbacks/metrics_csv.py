"""A table of a run's metrics, one row an epoch, that survives interruptions."""

import csv
import io
import os
import time
from numbers import Real
from pathlib import Path
from typing import Any

import keras

from keras_cgru.files import atomic_write


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

    def __init__(self, path: str | os.PathLike[str]) -> None:
        super().__init__()
        self.path = Path(path)

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
        # A dictionary, for its order: `val_*` may be missing from the first rows.
        columns = dict.fromkeys(name for row in self._rows for name in row)
        text = io.StringIO(newline="")
        writer = csv.DictWriter(text, list(columns), lineterminator="\n")
        writer.writeheader()
        writer.writerows(self._rows)
        with atomic_write(self.path) as file:
            file.write(text.getvalue().encode("utf-8"))


def read_metrics(path: str | os.PathLike[str]) -> list[dict[str, Any]]:
    """Read the rows that `MetricsCSV` wrote, in the order of the file.

    Args:
        path: The file.

    Returns:
        For each epoch `epoch` (int), `seconds` and each metric (float); None where an
        epoch has no such metric.

    Raises:
        FileNotFoundError: There is no such file.
        ValueError: The file is no such table; the message names the line.
    """
    with open(path, encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        if not reader.fieldnames or reader.fieldnames[0] != "epoch":
            raise ValueError(
                f"{path}:1: the first column must be `epoch`. "
                f"Received: {reader.fieldnames}"
            )
        return [_parse(f"{path}:{reader.line_num}", row) for row in reader]


def _parse(where: str, row: dict[str, Any]) -> dict[str, Any]:
    if None in row or None in row.values():
        raise ValueError(f"{where}: must have a cell a column. Received: {row}")
    try:
        values = {name: float(cell) if cell else None for name, cell in row.items()}
        return values | {"epoch": int(row["epoch"])}
    except ValueError as error:
        raise ValueError(f"{where}: cells must be numbers. Received: {row}") from error
