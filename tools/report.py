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

import dataclasses
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from keras_cgru.callbacks import read_metrics
from keras_cgru.callbacks.event_files import require_tensorboard
from keras_cgru.callbacks.hparams_files import (
    FILE_NAME,
    write_experiment,
    write_session,
)
from keras_cgru.command_line import Positional, run_command, say
from keras_cgru.data.babi.results.cell import (
    BabiCell,
    Curve,
    read_cells,
    unique_cells,
    write_cells,
)
from keras_cgru.data.babi.results.changes import changes_table, read_changes
from keras_cgru.data.babi.results.curve import curve_of
from keras_cgru.data.babi.results.plots import plot_curves, plot_dropped_mentions
from keras_cgru.data.babi.results.tables import markdown_tables
from keras_cgru.files import atomic_write, check_output_folder, to_path


@dataclass(frozen=True)
class Settings:
    """Tables and plots of bAbI cells, beside the paper's figures."""

    inputs: Positional[tuple[str, ...]]
    """Folders that recipes/babi.py wrote, or files cells.jsonl; one at least."""
    output: str | None = None
    """Folder for cells, tables and plots."""
    hparams: bool = False
    """Write TensorBoard's HParams view."""
    changes: tuple[str, ...] = ()
    """Folders or files of cells that were trained otherwise, each way a row."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command line and returns its exit status."""
    return run_command(
        report, Settings, name="report", description=__doc__, arguments=arguments
    )


def report(settings: Settings) -> None:
    """Reads all, writes the files, then prints."""
    inputs, output = check(settings)
    by_input = {path: read_input(path) for path in inputs}
    cells = unique_cells(cell for found in by_input.values() for cell in found)
    tables = markdown_tables(cells)
    changes = read_changes([to_path(path, "changes") for path in settings.changes])
    table = changes_table(cells, changes) if changes else ""
    if output is not None:
        write_output(output, cells, tables)
        if changes:
            write_changes(output, changes, table)
    if settings.hparams:
        if output is not None:
            by_input = {output / "hparams": cells}
        for folder, found in by_input.items():
            write_hparams(folder, found)
    print(tables)
    if table:
        print(f"\n{table}")


def check(settings: Settings) -> tuple[list[Path], Path | None]:
    """Refuses what could not be written before anything is read."""
    inputs = [to_path(path, "inputs") for path in settings.inputs]
    if not inputs:
        raise ValueError("`inputs` must be one folder or file at least. Received: none")
    output = None
    if settings.output is not None:
        output = check_output_folder(settings.output)
    elif settings.hparams:
        for path in inputs:
            if path.is_file():
                raise ValueError(
                    "--hparams must come with --output where an input is no run "
                    f"folder. Received: {path}"
                )
            check_output_folder(path, "inputs")
    return inputs, output


def read_input(path: Path) -> list[BabiCell]:
    cells = read_cells(path)
    if not cells:
        raise ValueError(
            f"{path}: must hold a finished cell, MODEL/task-XX/seed-N/metrics.json or "
            "a line of a file. Received: none"
        )
    return cells


def write_changes(folder: Path, changes: list[list[BabiCell]], table: str) -> None:
    cells = [cell for way in changes for cell in way]
    write_cells(folder / "changes.jsonl", cells)
    with atomic_write(folder / "changes.md") as file:
        file.write(table.encode("utf-8") + b"\n")
    say(f"{folder}: changes.jsonl ({len(cells)} cells), changes.md")


def write_output(folder: Path, cells: list[BabiCell], tables: str) -> None:
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
    return dataclasses.replace(cell, curve=read_curve(path, cell.updates))


def read_curve(path: Path, updates: int) -> Curve:
    """The curve of a table of epochs, after so many updates in all of them."""
    return curve_of(read_metrics(path), updates, path)


def write_hparams(folder: Path, cells: Sequence[BabiCell]) -> None:
    """Writes an experiment and, below it, a session for each cell."""
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
            cell.updates,
        )
    say(f"HParams of {len(cells)} cells: tensorboard --logdir {folder}")


def hparams_of(cell: BabiCell) -> Mapping[str, Any]:
    """What a cell differs in, and how it was trained; None is the model's own."""
    names = ("model", "task", "seed", "dropped_mentions")
    hparams = {name: cell.metrics[name] for name in names}
    return hparams | {k: v for k, v in cell.training.items() if v is not None}


if __name__ == "__main__":
    sys.exit(main())
