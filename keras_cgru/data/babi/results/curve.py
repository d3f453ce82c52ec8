"""How the probability of the right answer rose in the training of a cell."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from typing import Any

from keras_cgru.data.babi.results.cell import Curve


def curve_of(
    rows: Sequence[Mapping[str, Any]], updates: int, path: str | os.PathLike[str]
) -> Curve:
    """For each validation the updates before it, and exp(-cross-entropy).

    Args:
        rows: The cell's table of epochs.
        updates: How many there were in all epochs.
        path: The table's file, for errors.

    Raises:
        ValueError: The table is of another number of updates.
    """
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
