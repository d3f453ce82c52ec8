"""How the probability of the right answer rose in the training of a cell."""

from __future__ import annotations

import dataclasses
import math
from pathlib import Path

from keras_cgru.callbacks import read_metrics
from keras_cgru.data.babi.results.cell import BabiCell, Curve


def with_curve(cell: BabiCell) -> BabiCell:
    """The cell with its curve, where a run folder has its table of epochs."""
    path = cell.folder / "metrics.csv" if cell.folder else None
    if path is None or not path.exists():
        return cell
    return dataclasses.replace(cell, curve=read_curve(path, cell.updates))


def read_curve(path: Path, updates: int) -> Curve:
    """For each validation the updates before it, and exp(-cross-entropy).

    Args:
        path: The cell's table of epochs.
        updates: How many there were in all epochs.

    Raises:
        ValueError: The file is no such table, or of another number of updates.
    """
    rows = read_metrics(path)
    epochs = rows[-1]["epoch"] if rows else 0
    if not epochs or updates % epochs:
        raise ValueError(
            f"{path}: the last epoch must divide the {updates} updates of metrics.json."
            f" Received: {epochs}"
        )
    # Not every epoch is validated.
    losses = [(row["epoch"], row.get("val_cross_entropy")) for row in rows]
    return tuple(
        (epoch * (updates // epochs), round(math.exp(-loss), 6))
        for epoch, loss in losses
        if loss is not None and math.isfinite(loss)
    )
