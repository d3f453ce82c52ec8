"""The questions of bAbI tasks, or stories simulated in their place."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace

from keras_cgru.data.babi.simulated import SIMULATED_TASKS, simulated_babi_splits
from keras_cgru.data.babi.source import ALL_TASKS, babi_corpus
from keras_cgru.data.babi.splits import BabiSplits, read_babi_splits
from keras_cgru.data.data_source import DataSource
from keras_cgru.data.find_corpus import official_or_simulated

# The same stories whatever the seed of a run, so that runs compare.
SIMULATION_SEED = 2018
# Enough to see a recipe at work: a pointer, single classes, deduction.
FEW_SIMULATED = (1, 6, 15)


def load_babi(
    data_dir: str | os.PathLike[str] | None = None,
    simulated: bool = False,
    tasks: Sequence[int] | None = None,
    limit: int | None = None,
) -> tuple[DataSource, dict[int, BabiSplits]]:
    """Reads tasks where they are found, and simulates stories where they are not.

    Args:
        data_dir: See `find_corpus`.
        simulated: Whether to simulate stories whatever there is.
        tasks: Numbers of tasks; none of them for all that there are. None: all of the
            official ones, a few of the simulated ones.
        limit: At most so many questions of each split.

    Returns:
        Where all of it comes from, and each task's questions by number, with the source
        of its own files.

    Raises:
        FileNotFoundError, ImportError: See `find_corpus`.
        ValueError: A file is malformed, a task cannot be simulated, or files of some
            tasks are of another version than those of others.
    """
    wanted = tasks or ALL_TASKS
    source = official_or_simulated(babi_corpus(wanted), data_dir, simulated)
    if source.folder is not None:
        folder = source.folder
        splits = {task: read_babi_splits(folder, task) for task in wanted}
    else:
        wanted = tasks or (FEW_SIMULATED if tasks is None else SIMULATED_TASKS)
        if unknown := sorted(set(wanted) - set(SIMULATED_TASKS)):
            can = ", ".join(map(str, SIMULATED_TASKS))
            raise ValueError(
                f"`tasks` must be of {can} without the official files. "
                f"Received: {unknown}"
            )
        splits = {
            task: simulated_babi_splits(task, seed=SIMULATION_SEED) for task in wanted
        }
    splits = {
        task: replace(each.first(limit), source=of_task(source, task))
        for task, each in splits.items()
    }
    _check_one_version(splits)
    return source, splits


def _check_one_version(splits: Mapping[int, BabiSplits]) -> None:
    """Refuses at once what no table may hold together after hours of training."""
    tasks: dict[str, list[int]] = {}
    for task, each in splits.items():
        if each.source is not None:
            tasks.setdefault(each.source.label, []).append(task)
    if len(tasks) > 1:
        found = "; ".join(
            f"{label}: {', '.join(map(str, numbers))}"
            for label, numbers in tasks.items()
        )
        raise ValueError(
            f"`tasks` must be of one version of the files. Received: {found}"
        )


def of_task(source: DataSource, task: int) -> DataSource:
    """With the hashes of this task's files alone: others do not change its results."""
    own = (f"qa{task} ", "validation")
    return source.part(lambda role: role.startswith(own))
