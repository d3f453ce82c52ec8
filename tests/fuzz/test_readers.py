"""Readers meet files that are broken in a thousand ways.

Each file ends in a result or in an error of ours that names it, and soon; 2,000 files a
reader by default; `FUZZ_EXAMPLES=100000 python -m pytest tests/fuzz -s` tries more, and
prints what became of them.
"""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
from fuzz.mutations import Edit, edits, mutate, random_edits
from fuzz.subjects import FORMATS, Subject, subjects
from hypothesis import HealthCheck, example, given, settings

NUM_EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", "2000"))
NUM_BY_HYPOTHESIS = min(NUM_EXAMPLES, 2000)
NUM_BY_NUMBER = NUM_EXAMPLES - NUM_BY_HYPOTHESIS
# Far above what a sound reader takes, far below one that grows with the square.
SECONDS_A_FILE, SECONDS_A_BYTE = 2.0, 5e-5
NAMES = [
    *("lambada", "babi", "wikihop", "glove", "vocabulary", *FORMATS, "event file"),
    *("metrics.csv",),
    *("predictions", "readings", "readings.gz", "training state", "gap", "cells"),
    *("json", "lines", "questions", "answers", "kept options", "part", "run metrics"),
    *("run config", "characters", "asked config", "reader"),
]


@pytest.fixture(scope="module")
def sound(tmp_path_factory) -> dict[str, Subject]:
    return {s.name: s for s in subjects(tmp_path_factory.mktemp("sound"))}


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("fuzzed")


def test_every_subject_is_fuzzed(sound):
    assert list(sound) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_the_sound_file_is_read(name, sound, folder):
    read(sound[name], sound[name].seed, folder / f"sound {name}")


@pytest.mark.parametrize("name", NAMES)
def test_a_broken_file_ends_in_a_result_or_in_an_error_of_ours(name, sound, folder):
    @settings(
        max_examples=NUM_BY_HYPOTHESIS,
        deadline=None,
        database=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
    )
    @given(edits)
    @example([Edit("cut", 0.0, 1, b"")])
    def fuzz(changes):
        is_read(sound[name], changes, folder / name)

    fuzz()


@pytest.mark.skipif(not NUM_BY_NUMBER, reason="FUZZ_EXAMPLES asks for more")
@pytest.mark.parametrize("name", NAMES)
def test_many_more_broken_files(name, sound, folder):
    num_read = 0
    for number in range(NUM_BY_NUMBER):
        changes = random_edits(number)
        try:
            num_read += is_read(sound[name], changes, folder / name)
        except Exception as error:
            raise AssertionError(f"{name}, number {number}: {changes}") from error
    print(f"{name}: {NUM_BY_NUMBER:,} broken files, {num_read:,} read all the same")


def is_read(subject: Subject, changes: list[Edit], folder: Path) -> bool:
    """Whether a broken file is read; it is refused by name otherwise, and soon."""
    content = mutate(subject.seed, changes)
    began = time.process_time()
    try:
        read(subject, content, folder)
        refused = ""
    except ValueError as error:
        refused = str(error)
        assert str(folder / subject.file) in refused, refused
        assert len(refused) < 2000, len(refused)
    limit = SECONDS_A_FILE + SECONDS_A_BYTE * len(content)
    assert time.process_time() - began < limit
    return not refused


def read(subject: Subject, content: bytes, folder: Path) -> None:
    for name, beside in ((subject.file, content), *subject.beside):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(beside)
    subject.read(folder / subject.file)
