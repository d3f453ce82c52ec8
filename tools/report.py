"""Tables and plots over seeds: of bAbI's cells, and of LAMBADA's and WikiHop's runs.

    python tools/report.py runs/babi/best-jax
    python tools/report.py runs/babi/best-jax --output docs/results/babi
    python tools/report.py docs/results/babi/cells.jsonl
    python tools/report.py runs/babi/best-jax --hparams
    python tools/report.py runs/babi/best-jax --changes runs/babi/no-names runs/babi/...
    python tools/report.py runs/lambada --output docs/results/lambada --format svg png
    python tools/report.py runs/wikihop

Reads what `recipes/babi.py` wrote: folders of cells, or the file of cells that --output
writes, so that figures can be kept without their run folders. Prints the paper's Tables
1 and 4 with ours; cells that are not finished are left out.

--output writes `cells.jsonl` (all that the tables and plots are made of), `tables.md`,
and the plots of the paper's Figure 2: `dropped-mentions` and `training-curves`, as
--format says. --hparams writes what TensorBoard's HParams view shows, into the
run folders or, with --output, below it. --changes reads cells that were trained
otherwise, and prints what each change gave beside the same cells of the inputs; with
--output it writes `changes.jsonl` and `changes.md`.

Run folders of `recipes/lambada.py` or `recipes/wikihop.py`, or folders of such, give a
row a reader: mean and spread over seeds, the seed that validated best, McNemar's test
against --baseline; WikiHop's, where records have annotations, also the accuracy by what
annotators said, beside the paper's.
Runs on other files, on few passages (--limit) or on simulated stories are labelled, and
have tables and plots of their own. What is not finished is left out.
"""

import dataclasses
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from keras_cgru.callbacks import read_metrics
from keras_cgru.callbacks.event_files import require_tensorboard
from keras_cgru.callbacks.hparams_files import (
    FILE_NAME,
    write_experiment,
    write_session,
)
from keras_cgru.command_line import Positional, run_command, say
from keras_cgru.data.babi.results.cell import BabiCell, Curve
from keras_cgru.data.babi.results.cell_files import (
    read_cells,
    unique_cells,
    write_cells,
)
from keras_cgru.data.babi.results.changes import changes_table, read_changes
from keras_cgru.data.babi.results.curve import curve_of
from keras_cgru.data.babi.results.plots import plot_curves, plot_dropped_mentions
from keras_cgru.data.babi.results.tables import markdown_tables
from keras_cgru.data.lambada.results import described as described_lambada
from keras_cgru.data.wikihop.results import described as described_wikihop
from keras_cgru.data.wikihop.results import groups_table
from keras_cgru.evaluation.seed_groups import Way, groups_of
from keras_cgru.evaluation.seed_plots import plot_seed_curves
from keras_cgru.evaluation.seed_run import SeedRun, read_seed_run
from keras_cgru.evaluation.seed_table import notes, seed_table
from keras_cgru.files import atomic_write, check_output_folder, read_json, to_path

# What is to be said of the runs of each recipe that has tables over seeds.
DESCRIBED = {"lambada": described_lambada, "wikihop": described_wikihop}


@dataclass(frozen=True)
class Settings:
    """Tables and plots over seeds."""

    inputs: Positional[tuple[str, ...]]
    """Folders that recipes/babi.py wrote, or files cells.jsonl; or run folders of
    recipes/lambada.py or recipes/wikihop.py, or folders of these; one at least."""
    output: str | None = None
    """Folder for cells, tables and plots."""
    format: tuple[Literal["svg", "png", "pdf"], ...] = ("svg",)
    """Of the plots; several are written beside one another."""
    baseline: str = "gru"
    """The model of LAMBADA or WikiHop that the others are compared with."""
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
    if folders := seed_folders(inputs):
        report_seeds(settings, folders, output)
        return
    by_input = {path: read_input(path) for path in inputs}
    cells = unique_cells(cell for found in by_input.values() for cell in found)
    tables = markdown_tables(cells)
    changes = read_changes([to_path(path, "changes") for path in settings.changes])
    table = changes_table(cells, changes) if changes else ""
    if output is not None:
        write_output(output, cells, tables, settings.format)
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


def write_output(
    folder: Path, cells: list[BabiCell], tables: str, formats: Sequence[str]
) -> None:
    cells = [with_curve(cell) for cell in cells]
    write_cells(folder / "cells.jsonl", cells)
    with atomic_write(folder / "tables.md") as file:
        file.write(tables.encode("utf-8") + b"\n")
    say(f"{folder}: cells.jsonl ({len(cells)} cells), tables.md")
    try:
        plot(folder, cells, formats)
    except ImportError as error:
        say(f"report: no plots. {error}")


def plot(folder: Path, cells: list[BabiCell], formats: Sequence[str]) -> None:
    path = folder / "dropped-mentions.svg"
    if plot_dropped_mentions(path, cells, formats):
        say_files(path, formats)
    else:
        say(f"No {path.stem}: no cell has dropped mentions or random links.")
    curves = {
        cell.key[:3]: cell.curve for cell in cells if cell.curve and not cell.key[3]
    }
    path = folder / "training-curves.svg"
    if plot_curves(path, curves, cells[0].caution, formats):
        say_files(path, formats)
    else:
        say(f"No {path.stem}: no cell comes with its validations.")


def say_files(path: Path, formats: Sequence[str]) -> None:
    for name in formats:
        say(path.with_suffix(f".{name}"))


def seed_folders(inputs: Sequence[Path]) -> list[Path]:
    """The finished folders of LAMBADA's and WikiHop's runs; none for bAbI's cells.

    Raises:
        ValueError: Some inputs are of the one and some of the other.
    """
    found = {path: _seed_folders_of(path) for path in inputs}
    without = [path for path, folders in found.items() if not folders]
    if len(without) < len(inputs):
        for path in without:
            raise ValueError(
                f"{path}: must hold a finished run of recipes/lambada.py or "
                "recipes/wikihop.py, as the other inputs do. Received: none"
            )
    # A folder and the one above it may both be named.
    folders = {each.resolve(): each for each in sum(found.values(), [])}
    return list(folders.values())


def _seed_folders_of(path: Path) -> list[Path]:
    files = [path / "metrics.json", *sorted(path.glob("*/metrics.json"))]
    return [
        file.parent
        for file in files
        if file.is_file() and _recipe_of(read_json(file)) in DESCRIBED
    ]


def _recipe_of(metrics: Any) -> Any:
    return metrics.get("recipe") if isinstance(metrics, dict) else None


def report_seeds(
    settings: Settings, folders: Sequence[Path], output: Path | None
) -> None:
    if settings.hparams or settings.changes:
        name = "--hparams" if settings.hparams else "--changes"
        raise ValueError(f"{name} must come with cells of bAbI. Received: other runs")
    groups = groups_of(read_run_folder(folder) for folder in folders)
    parts = [
        part
        for ways in groups
        for part in (
            f"{described(ways)}.",
            seed_table(ways, settings.baseline),
            notes(ways, settings.baseline),
            groups_table(ways),
        )
        if part
    ]
    tables = "\n\n".join(parts)
    if output is not None:
        with atomic_write(output / "tables.md") as file:
            file.write(tables.encode("utf-8") + b"\n")
        say(output / "tables.md")
        try:
            plot_groups(output, groups, settings.format)
        except ImportError as error:
            say(f"report: no plots. {error}")
    print(tables)


def described(ways: Sequence[Way]) -> str:
    """On what the runs of one table were trained and tested."""
    run = ways[0].runs[0]
    return DESCRIBED[run.run.metrics["recipe"]](run)


def read_run_folder(folder: Path) -> SeedRun:
    path = folder / "metrics.csv"
    return read_seed_run(folder, read_metrics(path) if path.exists() else [])


def plot_groups(
    output: Path, groups: Sequence[list[Way]], formats: Sequence[str]
) -> None:
    for number, ways in enumerate(groups, start=1):
        name = "training-curves" + (f"-{number}" if len(groups) > 1 else "")
        path = output / f"{name}.svg"
        if plot_seed_curves(path, ways, described(ways), formats):
            say_files(path, formats)
        else:
            say(f"No {name}: no run comes with its table of epochs.")


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
