"""Trains Gated-Attention readers on the bAbI tasks, 1,000 questions a task.

    python recipes/babi.py                                  # works offline
    KERAS_CGRU_DATA=/path/to/data python recipes/babi.py    # the official stories
    python recipes/babi.py --tasks 1,2,16 --model ga_gru ga_coref_gru --seeds 3
    python recipes/babi.py --setting paper                  # as the paper trained

One cell is one model on one task with one seed; it is selected by its validation
questions, tested once and kept. The same command again goes on where it was stopped.
Without the official files it trains on stories that the package simulates, a few tasks
of them unless more are named, and says so. Tables and plots of finished cells:
tools/report.py; figures: docs/results/babi.md.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from babi_cell import BabiReaderCell, CellTrainer, make_task
from babi_training import SETTINGS, Training

from keras_cgru import training
from keras_cgru.command_line import Flat, refuse, run_command
from keras_cgru.data.babi.load import load_babi
from keras_cgru.data.babi.models import MODELS
from keras_cgru.data.babi.results.cell_files import read_cells
from keras_cgru.data.babi.results.tables import markdown_tables
from keras_cgru.files import check_output_folder

if TYPE_CHECKING:
    ModelName = str
else:
    ModelName = Literal[tuple(MODELS)]


@dataclass(frozen=True)
class Settings:
    """Train and test readers on the bAbI tasks."""

    data_dir: str | None = None
    """Folder with tasks_1-20_v1-2/. Default: the environment variable KERAS_CGRU_DATA,
    the download cache, the official archive, simulated stories."""
    simulated: bool = False
    """Train on simulated stories even where the official ones are at hand."""
    backend: Literal["jax", "tensorflow"] | None = None
    """Keras backend. Default: KERAS_BACKEND, or one that is installed."""
    tasks: str | None = None
    """Numbers of tasks, as 1,2,16 or 1-5; or all. Default: all, but a few of the
    simulated ones."""
    model: tuple[ModelName, ...] = ("ga_coref_gru",)
    """The models: rows of the paper's Table 1, or of its Figure 2."""
    dropped_mentions: tuple[float, ...] = (0.0,)
    """Shares of the mentions that lose their cluster, each a cell of its own."""
    seeds: int = 1
    """Each cell runs with the seeds 1 to this."""
    jobs: int = 1
    """Cells that are trained at once, in processes of their own."""
    threads: int = 1
    """Threads that each cell computes with, on any number of cores: its last digits
    depend on them. A second one does not make a cell faster."""
    setting: Literal["best", "paper"] = "best"
    """How every cell is trained; the options of training change parts of it."""
    training: Flat[Training] = field(default=SETTINGS["best"])
    """As the setting has it, unless it is given."""
    limit: int | None = None
    """Use only so many questions of each split."""
    readings: int = 0
    """Validation questions of each cell of which TensorBoard shows a few times what the
    reader did, as pictures and text. Each cell then compiles a program more."""
    embeddings: bool = False
    """TensorBoard's Projector shows the word vectors of each cell."""
    run_dir: str | None = None
    """Where the cells go. Default: runs/babi/ and a name of the setting."""


def run(settings: Settings) -> int:
    tasks = check(settings)
    backend, threads = training.start(
        settings.backend, settings.threads, ("jax", "tensorflow")
    )
    source, splits = load_babi(
        settings.data_dir, settings.simulated, tasks, settings.limit
    )
    print(source.line(settings.limit))
    print(f"Tasks: {', '.join(map(str, splits))}")
    # Other data has a folder of its own.
    kind = f"{source.label}-" * (source.label != source.name)
    name = settings.run_dir or f"runs/babi/{kind}{settings.setting}-{backend}"
    root = check_output_folder(name, "run_dir")
    cells = [
        BabiReaderCell(model, splits[task], seed, share, settings.training, threads)
        for model in dict.fromkeys(settings.model)
        for share in dict.fromkeys(settings.dropped_mentions)
        for task in splits
        for seed in range(1, settings.seeds + 1)
    ]
    todo = training.unfinished_cells(cells, root)
    check_examples(todo)
    # Cells of many seeds run the same programs.
    os.environ.setdefault("JAX_COMPILATION_CACHE_DIR", str(root.absolute() / ".jax"))
    trainer = CellTrainer(settings.readings, settings.embeddings)
    num_failed = training.run_cells(todo, root, trainer, settings.jobs)
    report(root, cells)
    return 1 if num_failed else 0


def check(settings: Settings) -> tuple[int, ...] | None:
    """Refuses impossible settings before anything is read; gives the tasks' numbers."""
    training.check_options(settings)
    if settings.training.same_kind and settings.training.unknown_names:
        refuse("same_kind", "left out with --unknown-names", True)
    if not settings.model:
        refuse("model", f"one or more of {', '.join(MODELS)}", "none")
    return parse_tasks(settings.tasks)


def parse_tasks(text: str | None) -> tuple[int, ...] | None:
    """Numbers from "1,2,16" or "1-5"; none of them for "all", None by default."""
    if text in (None, "all"):
        return None if text is None else ()
    tasks: list[int] = []
    for part in text.split(","):
        first, _, last = part.partition("-")
        last = last or first
        if not (first.isdecimal() and last.isdecimal()) or not (
            1 <= int(first) <= int(last) <= 20
        ):
            refuse("tasks", "all, or numbers in 1..20 such as 1,2,16 or 1-5", text)
        tasks += range(int(first), int(last) + 1)
    return tuple(dict.fromkeys(tasks))


def check_examples(cells: Sequence[BabiReaderCell]) -> None:
    """Makes each task's examples once, so that no fault shows after hours.

    Says how many of the questions can be used, and why others cannot.
    """
    for cell in {cell.splits.task: cell for cell in cells}.values():
        task = make_task(cell)
        print(f"  {task.summary()}; to validate: {task.validation_by}")


def report(root: Path, cells: Sequence[BabiReaderCell]) -> None:
    names = {cell.name for cell in cells}
    chosen = [cell for cell in read_cells(root) if cell.name in names]
    if chosen:
        print(f"\n{markdown_tables(chosen)}")
    print(f"\nTables and plots: python tools/report.py {root}")
    print(f"Curves: tensorboard --logdir {root}")


def defaults() -> Settings:
    """As the setting has it that the command line names: it is read first."""
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--setting", nargs="?")
    name = parser.parse_known_args()[0].setting
    return Settings(training=SETTINGS.get(name, SETTINGS["best"]))


def main() -> int:
    return run_command(
        *(run, Settings),
        name="babi.py: error",
        description=__doc__ and __doc__.partition("\n\n")[0],
        interrupted="Stopped. Finished cells are kept; the same command goes on.",
        outlives_pipe=True,
        default=defaults(),
    )


if __name__ == "__main__":
    sys.exit(main())
