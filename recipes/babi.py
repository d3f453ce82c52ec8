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

import dataclasses
import os
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import tyro
from babi_finished import is_finished, stored_threads
from babi_models import MODELS, SETTINGS
from common import check_counts, choose_backend, refuse
from threads import fix_threads

if TYPE_CHECKING:  # Keras must not be imported before its backend is chosen.
    from collections.abc import Callable

    from babi_cell import Cell

    from keras_cgru.data.babi.splits import BabiSplits

ModelName = Literal[
    "bi_gru", "bi_coref_gru", "ga_gru", "ga_gru_onehot", "ga_coref_gru", "ga_random_gru"
]
SIMULATION_SEED = 2018
# Enough to see the recipe at work: a pointer, single classes, deduction.
FEW_SIMULATED = (1, 6, 15)


@dataclass(frozen=True)
class Settings:
    """Train and test readers on the bAbI tasks."""

    data_dir: str | None = None
    """Folder with tasks_1-20_v1-2/. Default: the environment variable KERAS_CGRU_DATA,
    the download cache, the official archive, simulated stories."""
    simulated: bool = False
    """Train on simulated stories even where the official ones are at hand."""
    backend: Literal["jax", "tensorflow"] | None = None
    """Keras backend. Default: KERAS_BACKEND, or the first that is installed."""
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
    """How every cell is trained; the options below change parts of it."""
    layers: int | None = None
    """Number of layers of every model. Default: each model's own, 3 or 1."""
    units: int | None = None
    """Size of the state in each direction; even."""
    updates: int | None = None
    """Updates in all, unless validation is perfect before."""
    average: float | None = None
    """Momentum of a moving average of the weights, which is then what is tested."""
    patience: int | None = None
    """Validations in a row without a better one that end a training."""
    learning_rate: float | None = None
    """Of Adam, at first."""
    halve_every: int | None = None
    """Updates after which the learning rate is halved."""
    dropout: float | None = None
    """Rate after each layer."""
    rename: float | None = None
    """Share of the training examples whose entities get other names."""
    same_kind: bool | None = None
    """Whether these are names of the same kind, and not of any."""
    unknown_names: bool | None = None
    """Whether they are unknown words instead, names of nobody."""
    resolver: Literal["entities", "sieve"] | None = None
    """Who links mentions: equal entity words, or a sieve that links pronouns too."""
    normalise: bool | None = None
    """Whether inflected words are read as one."""
    by_word: bool | None = None
    """Whether lists and paths are answered word by word."""
    word_stddev: float | None = None
    """Standard deviation of the initial word vectors."""
    share_memory: Literal["always", "softmax", "never"] | None = None
    """When a Coref-GRU's memory goes on from passage to question; softmax: where
    answers are classes, not places in the passage."""
    query_words: bool | None = None
    """Whether readers are told which words of the passage stand in the question."""
    limit: int | None = None
    """Use only so many questions of each split."""
    run_dir: str | None = None
    """Where the cells go. Default: runs/babi/ and a name of the setting."""


def main() -> int:
    # Progress should show at once in a file or a pipe, too.
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    settings = tyro.cli(Settings, description=__doc__.split("\n\n")[0])
    try:
        tasks = check(settings)
        settings = dataclasses.replace(
            settings, backend=choose_backend(settings.backend)
        )
        fix_threads(settings.threads)
        return run(settings, tasks)
    except (ValueError, OSError, ImportError) as error:
        print(f"babi.py: error: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\nStopped. Finished cells are kept; the same command goes on.")
        return 130


def check(settings: Settings) -> tuple[int, ...] | None:
    """Refuses impossible settings before anything is read; gives the tasks' numbers."""
    training = training_of(settings)
    check_counts(settings, "seeds jobs threads limit layers units updates patience")
    check_counts(settings, "halve_every")
    if training["units"] % 2:
        refuse("units", "even", training["units"])
    for name in ("learning_rate", "word_stddev"):
        if not 0 < training[name] < float("inf"):
            refuse(name, "a positive number", training[name])
    if not 0 <= training["dropout"] < 1:
        refuse("dropout", "in [0, 1)", training["dropout"])
    if training["average"] is not None and not 0 < training["average"] < 1:
        refuse("average", "in (0, 1)", training["average"])
    if training["same_kind"] and training["unknown_names"]:
        refuse("same_kind", "left out with --unknown-names", True)
    for name, shares in (
        ("rename", (training["rename"],)),
        ("dropped_mentions", settings.dropped_mentions),
    ):
        for share in shares:
            if not 0 <= share <= 1:
                refuse(name, "in [0, 1]", share)
    if not settings.model:
        refuse("model", f"one or more of {', '.join(MODELS)}", "none")
    if settings.simulated and settings.data_dir is not None:
        refuse("data_dir", "left out with --simulated", settings.data_dir)
    return parse_tasks(settings.tasks)


def training_of(settings: Settings) -> dict[str, Any]:
    """The setting, with what the options change."""
    training = dataclasses.asdict(SETTINGS[settings.setting])
    for name in training:
        if (value := getattr(settings, name, None)) is not None:
            training[name] = value
    return training


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


def run(settings: Settings, tasks: tuple[int, ...] | None) -> int:
    from babi_cell import Cell

    from keras_cgru.callbacks.event_files import require_tensorboard

    require_tensorboard()  # Its absence should show before an hour of training.
    splits, data = load(settings, tasks)
    splits = {task: each.first(settings.limit) for task, each in splits.items()}
    data["limit"] = settings.limit
    kind = "simulated-" * (data["kind"] == "simulated")
    name = settings.run_dir or f"runs/babi/{kind}{settings.setting}-{settings.backend}"
    root = Path(name)
    training = training_of(settings)
    cells = [
        Cell(
            *(model, task, seed, share, training, data_of(task, data)),
            threads=settings.threads,
        )
        for model in dict.fromkeys(settings.model)
        for share in dict.fromkeys(settings.dropped_mentions)
        for task in splits
        for seed in range(1, settings.seeds + 1)
    ]
    # Cells of many seeds run the same programs.
    os.environ.setdefault(
        "JAX_COMPILATION_CACHE_DIR", str(root.absolute().parent / ".compiled")
    )
    todo = [cell for cell in cells if not is_finished(cell, root)]
    print(f"Cells: {root}; {len(cells)} asked for, {len(cells) - len(todo)} finished.")
    say_unknown_threads([cell for cell in cells if cell not in todo], root)
    check_examples(todo, splits)
    failed = train(todo, splits, root, settings.jobs)
    report(root, cells)
    return 1 if failed else 0


def say_unknown_threads(cells: list[Cell], root: Path) -> None:
    unknown = [cell for cell in cells if stored_threads(cell, root) is None]
    if unknown:
        print(
            f"  {len(unknown)} of them, kept as they are, do not say how many threads "
            f"computed them: {unknown[0].name}{', ...' * (len(unknown) > 1)}"
        )


def load(
    settings: Settings, tasks: tuple[int, ...] | None
) -> tuple[dict[int, BabiSplits], dict[str, Any]]:
    """Reads, or simulates, the questions of every task before any is trained on."""
    from keras_cgru.data.babi.simulated import SIMULATED_TASKS, simulated_babi_splits
    from keras_cgru.data.babi.source import ALL_TASKS, find_babi
    from keras_cgru.data.babi.splits import read_babi_splits

    wanted = tasks or ALL_TASKS
    source = None if settings.simulated else find_babi(settings.data_dir, wanted)
    if source is not None:
        print(f"Data: bAbI, {source.describe()}")
        splits = {task: read_babi_splits(source.folder, task) for task in wanted}
        data = {"kind": "babi", "found_by": source.kind, "sha256": dict(source.sha256)}
        return splits, data
    wanted = tasks or (FEW_SIMULATED if tasks is None else SIMULATED_TASKS)
    if unknown := sorted(set(wanted) - set(SIMULATED_TASKS)):
        can = ", ".join(map(str, SIMULATED_TASKS))
        refuse("tasks", f"of {can} without the official files", unknown)
    print(
        "Data: SIMULATED stories in the format of bAbI, since no official files were "
        f"found or --simulated was given. Tasks: {', '.join(map(str, wanted))}"
    )
    splits = {
        task: simulated_babi_splits(task, seed=SIMULATION_SEED) for task in wanted
    }
    return splits, {"kind": "simulated", "sha256": None}


def data_of(task: int, data: dict[str, Any]) -> dict[str, Any]:
    """With the hashes of this task's files alone: others do not change a cell."""
    hashes = data["sha256"]
    if hashes is not None:
        own = (f"qa{task}_", "en_valid")
        hashes = {name: each for name, each in hashes.items() if name.startswith(own)}
    return {**data, "sha256": hashes}


def check_examples(cells: list[Cell], splits: dict[int, BabiSplits]) -> None:
    """Makes each task's examples once, so that no fault shows after hours.

    Says how many of the questions can be used, and why others cannot.
    """
    from babi_cell import make_task

    for task, cell in {cell.task: cell for cell in cells}.items():
        made = make_task(cell, splits[task])
        print(f"  {made.summary()}; to validate: {splits[task].validation_by}")


def train(
    cells: list[Cell], splits: dict[int, BabiSplits], root: Path, num_jobs: int
) -> int:
    """Trains the cells; gives the number of those that failed."""
    from keras_cgru.processes import run_jobs

    began, num_done, num_failed = time.perf_counter(), 0, 0
    jobs = [
        [(cell, splits[cell.task], root) for cell in group]
        for group in groups_of(cells, num_jobs)
    ]
    for message in run_jobs(work, jobs, num_jobs):
        cell = cells[message.job]
        if message.kind == "told":
            print(f"  {cell.name} {message.value}")
            continue
        num_done += 1
        left = (time.perf_counter() - began) / num_done * (len(cells) - num_done)
        head = f"[{num_done}/{len(cells)}] {cell.name}"
        if message.kind == "failed":
            num_failed += 1
            print(f"{head} FAILED: {message.value}", file=sys.stderr)
            continue
        metrics = message.value
        print(
            f"{head}: validation {metrics['validation_accuracy']:.3f}, test "
            f"{metrics['accuracy_overall']:.3f}, {metrics['updates']} updates in "
            f"{metrics['train_seconds']:.0f} s; about {left / 60:.0f} min left"
        )
    return num_failed


def groups_of(cells: list[Cell], num_jobs: int) -> list[list[Cell]]:
    """In their order: seeds of the same cell together, as long as all have work.

    To start a process and to trace the programs takes as long as a short training.
    """
    longest = max(1, len(cells) // (2 * num_jobs))
    groups: list[list[Cell]] = []
    for cell in cells:
        alike = groups and dataclasses.replace(groups[-1][0], seed=cell.seed) == cell
        if not alike or len(groups[-1]) == longest:
            groups.append([])
        groups[-1].append(cell)
    return groups


def work(
    job: tuple[Cell, BabiSplits, Path], tell: Callable[[str], None]
) -> dict[str, Any]:
    """One cell, in a process of the pool."""
    from babi_cell import train_cell

    from keras_cgru.files import read_json
    from keras_cgru.training import RunFolder, keep_memory

    keep_memory()
    cell, splits, root = job
    folder = RunFolder(root / cell.name)
    with folder.locked():
        # Another run may have finished it since this one began.
        if is_finished(cell, root):
            metrics: dict[str, Any] = read_json(folder.metrics)
            return metrics
        return train_cell(cell, splits, folder, tell)


def report(root: Path, cells: list[Cell]) -> None:
    from keras_cgru.data.babi.results.cell import read_cells
    from keras_cgru.data.babi.results.tables import markdown_tables

    finished = read_cells(root)
    wanted = {(c.model, c.task, c.seed, c.dropped_mentions) for c in cells}
    chosen = [cell for cell in finished if cell.key in wanted]
    if chosen:
        print()
        print(markdown_tables(chosen))
    print(f"\nTables and plots: python tools/report.py {root}")
    print(f"Curves: tensorboard --logdir {root}")


if __name__ == "__main__":
    sys.exit(main())
