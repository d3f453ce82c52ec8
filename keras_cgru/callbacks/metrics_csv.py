"""A table of a run's metrics, one row an epoch, that survives interruptions."""

import csv
import io
import os
import time
import warnings
from collections.abc import Iterator
from numbers import Real
from typing import Any

import keras

from keras_cgru.callbacks.path_argument import PathArgument
from keras_cgru.files import atomic_write, short, split_lines, to_path


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

    What a crash left behind the last whole line is left out, with a warning.

    Returns:
        For each epoch `epoch` (int), `seconds` and each metric (float); None where an
        epoch has no such metric.

    Raises:
        FileNotFoundError: There is no such file.
        ValueError: The file is no such table; the message names the line.
    """
    reader = csv.DictReader(_whole_lines(path))
    try:
        if not reader.fieldnames or reader.fieldnames[0] != "epoch":
            raise ValueError(
                f"{path}:1: the first column must be `epoch`. "
                f"Received: {short(reader.fieldnames)}"
            )
        rows: list[dict[str, Any]] = []
        for row in reader:
            rows.append(_parse(f"{path}:{reader.line_num}", row))
            if [row["epoch"] for row in rows[-2:-1]] >= [rows[-1]["epoch"]]:
                raise ValueError(
                    f"{path}:{reader.line_num}: `epoch` must be higher than in the row "
                    f"before. Received: {rows[-1]['epoch']}"
                )
    except csv.Error as error:
        raise ValueError(
            f"{path}:{reader.line_num + 1}: must be a table. Received: {error}"
        ) from error
    return rows


def _whole_lines(path: str | os.PathLike[str]) -> Iterator[str]:
    """The lines of a table; what a crash left of one more, or its NULs, is not told."""
    content = to_path(path).read_bytes()
    sound = content.rstrip(b"\0")
    end = max(sound.rfind(b"\n"), sound.rfind(b"\r")) + 1
    if lost := len(content) - end if end else 0:
        warnings.warn(
            f"{path}: left out {lost} bytes behind the last whole line", stacklevel=4
        )
        sound = sound[:end]
    return (line for _, line in split_lines(io.BytesIO(sound), path))


def _parse(where: str, row: dict[str, Any]) -> dict[str, Any]:
    if None in row or None in row.values():
        raise ValueError(f"{where}: must have a cell a column. Received: {short(row)}")
    try:
        values = {name: float(cell) if cell else None for name, cell in row.items()}
        return values | {"epoch": int(row["epoch"])}
    except ValueError as error:
        raise ValueError(
            f"{where}: cells must be numbers. Received: {short(row)}"
        ) from error
