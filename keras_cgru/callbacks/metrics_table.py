"""The table of a run's metrics, `metrics.csv`: one row an epoch."""

from __future__ import annotations

import csv
import io
import os
import warnings
from collections.abc import Iterator, Sequence
from typing import Any

from keras_cgru.files import atomic_write, short, split_lines, to_path


def write_metrics(path: str | os.PathLike[str], rows: Sequence[dict[str, Any]]) -> None:
    """Writes the table, replacing the file as a whole; a row may lack columns."""
    # A dictionary, for its order: `val_*` may be missing from the first rows.
    columns = dict.fromkeys(name for row in rows for name in row)
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, list(columns), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    with atomic_write(path) as file:
        file.write(text.getvalue().encode("utf-8"))


def read_metrics(path: str | os.PathLike[str]) -> list[dict[str, Any]]:
    """Read the rows that `write_metrics` wrote, in the order of the file.

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
