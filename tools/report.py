"""Tables and plots of bAbI cells, beside the paper's figures.

    python tools/report.py runs/babi/best-jax
    python tools/report.py runs/babi/best-jax --output docs/results/babi
    python tools/report.py docs/results/babi/cells.jsonl
    python tools/report.py runs/babi/best-jax --hparams
    python tools/report.py runs/babi/best-jax --changes runs/babi/no-names runs/babi/...

Reads what `recipes/babi.py` wrote: folders of cells, or the file of cells that --output
writes, so that figures can be kept without their run folders. Prints the paper's Tables
1 and 4 with ours; cells that are not finished are left out.

--output writes `cells.jsonl` (all that the tables and plots are made of), `tables.md`,
and the plots of the paper's Figure 2: `dropped-mentions.svg` and
`training-curves.svg`. --hparams writes what TensorBoard's HParams view shows, into the
run folders or, with --output, below it. --changes reads cells that were trained
otherwise, and prints what each change gave beside the same cells of the inputs; with
--output it writes `changes.jsonl` and `changes.md`.
"""

from __future__ import annotations

import argparse
import dataclasses
import importlib.util
import math
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # Keras must not be imported before its backend is chosen.
    from keras_cgru.data.babi.results.cell import BabiCell, Curve


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command line and returns its exit status."""
    # Tables are UTF-8 whatever the locale.
    sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
    options = make_parser().parse_args(arguments)
    choose_backend()
    try:
        report(options)
    except (ImportError, OSError, ValueError) as error:
        say(f"report: {error}")
        return 2
    return 0


def make_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "inputs",
        nargs="+",
        type=Path,
        metavar="RUN_FOLDER_OR_JSONL",
        help="a folder that recipes/babi.py wrote, or a cells.jsonl",
    )
    parser.add_argument(
        "--output", type=Path, metavar="FOLDER", help="write cells, tables and plots"
    )
    parser.add_argument(
        "--hparams", action="store_true", help="write TensorBoard's HParams view"
    )
    parser.add_argument(
        "--changes",
        nargs="+",
        type=Path,
        default=[],
        metavar="RUN_FOLDER_OR_JSONL",
        help="cells that were trained otherwise, each way a row",
    )
    return parser


def choose_backend() -> None:
    """Names a Keras backend that is installed.

    Nothing here computes with it, but the package registers its layers on import.
    """
    installed = filter(importlib.util.find_spec, ("jax", "torch", "tensorflow"))
    if backend := next(installed, None):
        os.environ.setdefault("KERAS_BACKEND", backend)


def report(options: argparse.Namespace) -> None:
    from keras_cgru.data.babi.results.cell import unique_cells
    from keras_cgru.data.babi.results.changes import changes_table, read_changes
    from keras_cgru.data.babi.results.tables import markdown_tables

    output = options.output
    if output is not None and output.exists() and not output.is_dir():
        raise ValueError(f"--output must be a folder. Received: {output}, a file")
    by_input = {path: read_input(path) for path in options.inputs}
    if options.hparams and output is None:
        for path in by_input:
            if not path.is_dir():
                raise ValueError(
                    "--hparams must come with --output where an input is no run "
                    f"folder. Received: {path}"
                )
    cells = unique_cells(cell for found in by_input.values() for cell in found)
    tables = markdown_tables(cells)
    changes = read_changes(options.changes)
    table = changes_table(cells, changes) if changes else ""
    print(tables)
    if table:
        print(f"\n{table}")
    if output is not None:
        write_output(output, cells, tables)
        if changes:
            write_changes(output, changes, table)
    if options.hparams:
        if output is not None:
            by_input = {output / "hparams": cells}
        for folder, found in by_input.items():
            write_hparams(folder, found)


def say(text: object) -> None:
    """Tells what is no part of the tables."""
    print(text, file=sys.stderr)


def read_input(path: Path) -> list[BabiCell]:
    from keras_cgru.data.babi.results.cell import read_cells

    cells = read_cells(path)
    if not cells:
        raise ValueError(
            f"{path}: must hold a finished cell, MODEL/task-XX/seed-N/metrics.json or "
            "a line of a file. Received: none"
        )
    return cells


def write_changes(folder: Path, changes: list[list[BabiCell]], table: str) -> None:
    from keras_cgru.data.babi.results.cell import write_cells
    from keras_cgru.files import atomic_write

    cells = [cell for way in changes for cell in way]
    write_cells(folder / "changes.jsonl", cells)
    with atomic_write(folder / "changes.md") as file:
        file.write(table.encode("utf-8") + b"\n")
    say(f"{folder}: changes.jsonl ({len(cells)} cells), changes.md")


def write_output(folder: Path, cells: list[BabiCell], tables: str) -> None:
    from keras_cgru.data.babi.results.cell import write_cells
    from keras_cgru.files import atomic_write

    cells = [with_curve(cell) for cell in cells]
    write_cells(folder / "cells.jsonl", cells)
    with atomic_write(folder / "tables.md") as file:
        file.write(tables.encode("utf-8") + b"\n")
    say(f"{folder}: cells.jsonl ({len(cells)} cells), tables.md")
    try:
        plot(folder, cells)
    except ImportError as error:
        say(f"report: no plots. {error}")


def plot(folder: Path, cells: list[BabiCell]) -> None:
    from keras_cgru.data.babi.results.plots import plot_curves, plot_dropped_mentions

    path = folder / "dropped-mentions.svg"
    if plot_dropped_mentions(path, cells):
        say(path)
    else:
        say(f"No {path.name}: no cell has dropped mentions or random links.")
    curves = {
        cell.key[:3]: cell.curve for cell in cells if cell.curve and not cell.key[3]
    }
    path = folder / "training-curves.svg"
    if plot_curves(path, curves, cells[0].caution):
        say(path)
    else:
        say(f"No {path.name}: no cell comes with its validations.")


def with_curve(cell: BabiCell) -> BabiCell:
    """The cell with its curve, where a run folder has its table of epochs."""
    path = cell.folder / "metrics.csv" if cell.folder else None
    if path is None or not path.exists():
        return cell
    return dataclasses.replace(cell, curve=read_curve(path, cell.metrics["updates"]))


def read_curve(path: Path, updates: int) -> Curve:
    """For each validation the updates before it, and exp(-cross-entropy).

    Args:
        path: The cell's table of epochs.
        updates: How many there were in all epochs.
    """
    from keras_cgru.callbacks import read_metrics

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


def write_hparams(folder: Path, cells: Sequence[BabiCell]) -> None:
    """Writes an experiment and, below it, a session for each cell."""
    from keras_cgru.callbacks.event_files import require_tensorboard
    from keras_cgru.callbacks.hparams_files import (
        FILE_NAME,
        write_experiment,
        write_session,
    )

    require_tensorboard()
    # Those of cells that are no longer there would still be shown.
    for path in folder.glob(f"*/task-*/seed-*/{FILE_NAME}"):
        path.unlink()
    metrics = {"test_accuracy": "accuracy_overall"}
    metrics["validation_accuracy"] = "validation_accuracy"
    write_experiment(folder, [hparams_of(cell) for cell in cells], list(metrics))
    for cell in cells:
        write_session(
            cell.folder
            if cell.folder and folder in cell.folder.parents
            else folder / cell.name,
            hparams_of(cell),
            {tag: cell.metrics[name] for tag, name in metrics.items()},
            cell.metrics["updates"],
        )
    say(f"HParams of {len(cells)} cells: tensorboard --logdir {folder}")


def hparams_of(cell: BabiCell) -> Mapping[str, Any]:
    """What a cell differs in, and how it was trained; None is the model's own."""
    names = ("model", "task", "seed", "dropped_mentions")
    hparams = {name: cell.metrics[name] for name in names}
    training = cell.metrics["training"]
    return hparams | {name: v for name, v in training.items() if v is not None}


if __name__ == "__main__":
    sys.exit(main())
