"""Cells as TensorBoard's HParams view shows them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from keras_cgru.callbacks.event_files import require_tensorboard
from keras_cgru.callbacks.hparams_files import (
    FILE_NAME,
    write_experiment,
    write_session,
)
from keras_cgru.data.babi.results.cell import BabiCell


def write_hparams(folder: Path, cells: Sequence[BabiCell]) -> None:
    """Writes an experiment and, below it, a session for each cell.

    Args:
        folder: What TensorBoard's `--logdir` will be; cells whose run folders lie below
            it have their session there.
        cells: Finished cells.

    Raises:
        ImportError: `tensorboard` is not installed.
    """
    require_tensorboard()
    # Those of cells that are no longer there would still be shown.
    for path in folder.glob(f"*/task-*/seed-*/{FILE_NAME}"):
        path.unlink()
    metrics = {"test_accuracy": "accuracy_overall"}
    metrics["validation_accuracy"] = "validation_accuracy"
    write_experiment(folder, [_hparams_of(cell) for cell in cells], list(metrics))
    for cell in cells:
        write_session(
            cell.folder
            if cell.folder and folder in cell.folder.parents
            else folder / cell.name,
            _hparams_of(cell),
            {tag: cell.metrics[name] for tag, name in metrics.items()},
            cell.updates,
        )


def _hparams_of(cell: BabiCell) -> Mapping[str, Any]:
    """What a cell differs in, and how it was trained; None is the model's own."""
    names = ("model", "task", "seed", "dropped_mentions")
    hparams = {name: cell.metrics[name] for name in names}
    return hparams | {k: v for k, v in cell.training.items() if v is not None}
