"""Training, validation and test questions of one bAbI task."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from keras_cgru.data.babi.question import BabiQuestion
from keras_cgru.data.babi.questions import read_babi
from keras_cgru.data.data_source import DataSource
from keras_cgru.data.official import SIMULATED, caution_of
from keras_cgru.data.splits import SPLITS
from keras_cgru.files import read_json, to_path

VALIDATION_INDICES = "en_valid_story_indices.json"
# The share of the official en-valid split.
HELD_OUT = 0.1
# The same stories are held out whatever the seed of a run, so that runs compare.
SPLIT_SEED = 2018


@dataclass(frozen=True)
class BabiSplits:
    """The questions of one task.

    Args:
        task: Number of the task.
        train, validation, test: The questions. No story is in both of the first two.
        validation_by: How the validation stories were chosen, in words.
        source: Where the stories come from; None where nobody said it.
        limit: At most so many of each split were taken; None: all.
    """

    task: int
    train: tuple[BabiQuestion, ...]
    validation: tuple[BabiQuestion, ...]
    test: tuple[BabiQuestion, ...]
    validation_by: str
    source: DataSource | None = None
    limit: int | None = None

    @property
    def simulated(self) -> bool:
        """Whether the package made the stories up."""
        return self.source is not None and self.source.kind == SIMULATED

    def first(self, limit: int | None) -> BabiSplits:
        """The first questions of each split, at most `limit`; None gives all."""
        parts = {n: getattr(self, n)[:limit] for n in SPLITS}
        return replace(self, **parts, limit=limit)

    def summary(self) -> str:
        """One line for the user."""
        label = "babi" if self.source is None else self.source.label
        said = caution_of(label, "babi", self.limit)
        beside = f" ({said})" if said else ""
        return (
            f"task {self.task}{beside}: {len(self.train)} questions to train on, "
            f"{len(self.validation)} to validate ({self.validation_by}), "
            f"{len(self.test)} to test"
        )

    def provenance(self) -> dict[str, Any]:
        """Label, hashes of the task's files and limit, for a cell's `config.json`."""
        source = self.source or DataSource("data-dir", name="babi")
        return {**source.provenance(), "limit": self.limit}


def read_babi_splits(folder: str | os.PathLike[str], task: int) -> BabiSplits:
    """Reads the 1K English files of a task.

    The stories of the validation split are, whichever is there first:
    ``en_valid_story_indices.json`` (for each task the positions, from 0, of the
    official `en-valid` stories within the training file); the official folder
    ``en-valid``, whose training and validation files are read in place of the
    training file; a tenth of the stories, drawn once for all runs.

    Args:
        folder: ``tasks_1-20_v1-2``, or a folder that holds a task's two files.
        task: Number of the task, at least 1.

    Raises:
        FileNotFoundError: A file is missing; the message names it.
        ValueError: A file is malformed, or there are too few stories to hold out.
    """
    folder = to_path(folder, "folder")
    train_path, test_path = (babi_file(folder, task, s) for s in ("train", "test"))
    test = tuple(read_babi(test_path, task))
    indices_path = folder / VALIDATION_INDICES
    if indices_path.is_file():
        questions = read_babi(train_path, task)
        indices = _read_indices(indices_path, task, questions)
        train, validation = _divide(questions, indices)
        by = "official en-valid stories"
    elif official := official_valid_files(folder, task):
        train, validation = (tuple(read_babi(path, task)) for path in official)
        by = "official en-valid files"
    else:
        return split_babi(read_babi(train_path, task), test)
    return BabiSplits(task, train, validation, test, by)


def split_babi(
    questions: Sequence[BabiQuestion], test: Sequence[BabiQuestion]
) -> BabiSplits:
    """Holds out a tenth of the stories of training questions, the same in every run.

    Args:
        questions: Training questions of one task, of at least two stories.
        test: Test questions.

    Raises:
        ValueError: There are fewer than two stories.
    """
    stories = sorted({question.story_index for question in questions})
    if len(stories) < 2:
        raise ValueError(
            f"at least 2 training stories are needed to hold one out. "
            f"Received: {len(stories)}"
        )
    order = np.random.default_rng(SPLIT_SEED).permutation(stories)
    held_out = order[: max(1, round(HELD_OUT * len(stories)))].tolist()
    train, validation = _divide(questions, held_out)
    by = f"a tenth of the stories, seed {SPLIT_SEED}"
    return BabiSplits(questions[0].task, train, validation, tuple(test), by)


def babi_file(folder: str | os.PathLike[str], task: int, split: str) -> Path:
    """Finds the file of a task, in ``en`` or in the folder itself.

    Raises:
        FileNotFoundError: There is none, or more than one.
        ValueError: `task` is below 1.
    """
    if task < 1:
        raise ValueError(f"`task` must be at least 1. Received: task={task}")
    folder = to_path(folder, "folder")
    inner = folder / "en" if (folder / "en").is_dir() else folder
    name = f"qa{task}_*{split}.txt"
    found = sorted(inner.glob(name))
    if len(found) != 1:
        raise FileNotFoundError(
            f"{inner / name} must be one file. Received: {len(found)} of that name"
        )
    return found[0]


def official_valid_files(folder: Path, task: int) -> tuple[Path, Path] | None:
    """The training and the validation file of ``en-valid``, where both exist."""
    inner = folder / "en-valid"
    train, valid = (inner / f"qa{task}_{split}.txt" for split in ("train", "valid"))
    return (train, valid) if train.is_file() and valid.is_file() else None


def _divide(
    questions: Sequence[BabiQuestion], held_out: Collection[int]
) -> tuple[tuple[BabiQuestion, ...], tuple[BabiQuestion, ...]]:
    held_out = set(held_out)
    train = tuple(q for q in questions if q.story_index not in held_out)
    return train, tuple(q for q in questions if q.story_index in held_out)


def _read_indices(
    path: Path, task: int, questions: Sequence[BabiQuestion]
) -> list[int]:
    content = read_json(path)
    indices = content.get(str(task)) if isinstance(content, dict) else None
    last = questions[-1].story_index
    if (
        not isinstance(indices, list)
        or not indices
        or not all(type(each) is int and 0 <= each <= last for each in indices)
    ):
        raise ValueError(
            f'{path}: "{task}" must be a list of story positions in 0..{last}. '
            f"Received: {indices!r:.80}"
        )
    if len(set(indices)) > last:
        raise ValueError(f'{path}: "{task}" must leave stories to train on')
    return indices
