"""Finds the bAbI files."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from keras_cgru.data.babi.official_files import (
    OFFICIAL_FILES,
    count_questions,
    version_of,
)
from keras_cgru.data.babi.splits import VALIDATION_INDICES, official_valid_files
from keras_cgru.data.corpus import Corpus
from keras_cgru.data.data_source import DataSource
from keras_cgru.data.find_corpus import find_corpus

ALL_TASKS = tuple(range(1, 21))
FOLDER = "tasks_1-20_v1-2"
# SHA-256 by address. The first, of 15,719,851 bytes, is the authors' and has the folder
# en-valid; its hash is the one that Hugging Face Datasets records. The second, of
# 11,745,123 bytes, is the copy that the examples of Keras used to download; its hash is
# one that several public repositories record. Neither is verified with a download of
# our own, and the first was reported to be gone.
ARCHIVES = {
    "http://www.thespermwhale.com/jaseweston/babi/tasks_1-20_v1-2.tar.gz": (
        "0364ebde659f14d11bc21744516c5ec49d3d06cb692733f66680771244998898"
    ),
    "https://s3.amazonaws.com/text-datasets/babi_tasks_1-20_v1-2.tar.gz": (
        "84f5296ab9a1ad0dc9464e08c491d65cd08830fca3acae9ab86f75e0fb81573c"
    ),
}


def find_babi(
    data_dir: str | os.PathLike[str] | None = None,
    tasks: Iterable[int] = ALL_TASKS,
    allow_download: bool = True,
) -> DataSource | None:
    """Finds the 1K English files of bAbI tasks.

    See `find_corpus` for the places. The source's `folder` is what `read_babi_splits`
    takes.

    Args:
        data_dir: `tasks_1-20_v1-2`, the folder that holds it, or None.
        tasks: The numbers of the tasks whose files must be there.
        allow_download: Whether to try the official archive (16 MB) and a copy of it
            when nothing else is found.

    Returns:
        The source, with the roles "qa1 train", "qa1 test", ... and, where the folder
        has them, "validation stories" or "qa1 en-valid train", ...; or None.

    Raises:
        FileNotFoundError, ImportError, ValueError: See `find_corpus`.
    """
    return find_corpus(babi_corpus(tasks), data_dir, allow_download)


def babi_corpus(tasks: Iterable[int] = ALL_TASKS) -> Corpus:
    """The files of these tasks."""
    numbers = tuple(dict.fromkeys(tasks))
    return Corpus(
        name="babi",
        title="bAbI",
        folder=FOLDER,
        wanted="with a training and a test file of each task in it or in its folder en",
        locate=lambda folder: _locate(folder, numbers),
        archives=ARCHIVES,
        official=OFFICIAL_FILES,
        records="questions",
        count_records=count_questions,
        version_of=version_of,
    )


def _locate(folder: Path, tasks: Iterable[int]) -> dict[str, Path]:
    files: dict[str, Path] = {}
    inner = folder / "en" if (folder / "en").is_dir() else folder
    for task in tasks:
        for split in ("train", "test"):
            pattern = f"qa{task}_*{split}.txt"
            # The pattern itself stands for a file that is missing.
            found = sorted(inner.glob(pattern)) or [inner / pattern]
            files[f"qa{task} {split}"] = found[0]
    indices = folder / VALIDATION_INDICES
    if indices.is_file():
        return files | {"validation stories": indices}
    for task in tasks:
        if official := official_valid_files(folder, task):
            roles = (f"qa{task} en-valid train", f"qa{task} en-valid valid")
            files |= dict(zip(roles, official, strict=True))
    return files
