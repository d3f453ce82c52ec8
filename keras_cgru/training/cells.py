"""Grids of cells, models by tasks by seeds: each trained once, some at a time."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from itertools import groupby
from pathlib import Path, PurePosixPath
from typing import Any, Generic, TypeVar

from keras_cgru.command_line import say
from keras_cgru.files import read_json
from keras_cgru.files.lock import InUseError
from keras_cgru.processes import Message, run_jobs
from keras_cgru.training.cell import Cell
from keras_cgru.training.keep_memory import keep_memory
from keras_cgru.training.run_folder import RunFolder

AnyCell = TypeVar("AnyCell", bound=Cell)
# Trains a cell into its folder, telling how far it has come, and gives its metrics.
Train = Callable[[AnyCell, RunFolder, Callable[[str], None]], dict[str, Any]]


def unfinished_cells(cells: Sequence[AnyCell], root: Path) -> list[AnyCell]:
    """Those that have no results yet; says how many have.

    Args:
        cells: The cells asked for.
        root: The folder of all cells.

    Raises:
        ValueError: A finished one was trained otherwise; the message says in what.
    """
    done = [cell for cell in cells if is_finished(cell, RunFolder(root / cell.name))]
    names = {cell.name for cell in done}
    print(f"Cells: {root}; {len(cells)} asked for, {len(done)} finished.")
    unknown = [
        cell.name
        for cell in done
        if read_json(RunFolder(root / cell.name).config).get("threads") is None
    ]
    if unknown:
        print(
            f"  {len(unknown)} of them, kept as they are, do not say how many threads "
            f"computed them: {unknown[0]}{', ...' * (len(unknown) > 1)}"
        )
    return [cell for cell in cells if cell.name not in names]


def run_cells(
    cells: Sequence[AnyCell],
    root: Path,
    train: Train[AnyCell],
    num_jobs: int = 1,
) -> int:
    """Trains cells in processes of their own, and says what becomes of each.

    A cell that another run trains at this moment is left to it.

    Args:
        cells: Those that are not finished.
        root: The folder of all cells.
        train: Trains one. A process gets it once, so what an object keeps in its
            attributes is there for the next cell.
        num_jobs: Cells trained at once.

    Returns:
        The number of those that failed.
    """
    progress = _Progress([cell.name for cell in cells])
    groups = groups_of(cells, num_jobs)
    for message in run_jobs(CellWorker(root, train), groups, num_jobs):
        progress.show(message)
    return progress.num_failed


def groups_of(cells: Sequence[AnyCell], num_jobs: int) -> list[list[AnyCell]]:
    """In their order: seeds of the same cell together, as long as all have work.

    To start a process and to trace the programs takes as long as a short training.
    """
    longest = max(1, len(cells) // (2 * num_jobs))
    groups = []
    for _, same in groupby(cells, key=lambda cell: PurePosixPath(cell.name).parent):
        seeds = list(same)
        groups += [seeds[n : n + longest] for n in range(0, len(seeds), longest)]
    return groups


class CellWorker(Generic[AnyCell]):
    """What a process does with a cell.

    Args:
        root: The folder of all cells.
        train: Trains one.
    """

    def __init__(self, root: Path, train: Train[AnyCell]) -> None:
        self.root, self.train = root, train

    def __call__(
        self, cell: AnyCell, tell: Callable[[str], None]
    ) -> dict[str, Any] | None:
        """The cell's metrics; None where another run is at it."""
        keep_memory()
        folder = RunFolder(self.root / cell.name)
        try:
            with folder.locked():
                # Another run may have finished it since this one began.
                if is_finished(cell, folder):
                    metrics: dict[str, Any] = read_json(folder.metrics)
                    return metrics
                return self.train(cell, folder, tell)
        except InUseError:
            return None


def is_finished(cell: Cell, folder: RunFolder) -> bool:
    """Whether there are results, of the very settings that are asked for."""
    if not folder.metrics.exists():
        return False
    for name, was, now in cell.differences(read_json(folder.config)):
        raise ValueError(
            f"{folder.path}: finished with {name}={was!r}; choose another `run_dir`. "
            f"Received: {now!r}"
        )
    return True


class _Progress:
    """Says of each cell what became of it, and how long the others will take."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names, self.began = names, time.perf_counter()
        self.num_ended = self.num_failed = 0

    def show(self, message: Message) -> None:
        name = self.names[message.job]
        if message.kind == "told":
            print(f"  {name} {message.value}")
            return
        self.num_ended += 1
        head = f"[{self.num_ended}/{len(self.names)}] {name}"
        if message.kind == "failed":
            self.num_failed += 1
            say(f"{head} FAILED: {message.value}")
        elif message.value is None:
            print(f"{head}: left to another run, which is training it")
        else:
            print(f"{head}: {_result(message.value)}; {self._left()}")

    def _left(self) -> str:
        of_one = (time.perf_counter() - self.began) / self.num_ended
        minutes = of_one * (len(self.names) - self.num_ended) / 60
        return f"about {minutes:.0f} min left"


def _result(metrics: dict[str, Any]) -> str:
    return (
        f"validation {metrics['validation_accuracy']:.3f}, test "
        f"{metrics['accuracy_overall']:.3f}, {metrics['updates']} updates in "
        f"{metrics['train_seconds']:.0f} s"
    )
