"""Readers meet files that are broken in a thousand ways.

Each file ends in a result or in an error of ours that names it, and soon; 2,000 files a
reader by default, `FUZZ_EXAMPLES=100000 python -m pytest tests/fuzz` more.
"""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
from fuzz.mutations import Edit, edits, mutate
from fuzz.subjects import FORMATS, Subject, subjects
from hypothesis import HealthCheck, example, given, settings

NUM_EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", "2000"))
# Far above what a sound reader takes, far below one that grows with the square.
SECONDS_A_FILE, SECONDS_A_BYTE = 2.0, 5e-5
NAMES = [
    *("lambada", "babi", "wikihop", "glove", "vocabulary", *FORMATS, "event file"),
    *(
        "metrics.csv",
        "predictions",
        "readings",
        "readings.gz",
        "training state",
        "gap",
        "cells",
    ),
    *("json", "lines"),
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
    subject = sound[name]

    @settings(
        max_examples=NUM_EXAMPLES,
        deadline=None,
        database=None,
        derandomize=NUM_EXAMPLES <= 2000,
        suppress_health_check=list(HealthCheck),
    )
    @given(edits)
    @example([Edit("cut", 0.0, 1, b"")])
    def fuzz(changes):
        content = mutate(subject.seed, changes)
        began = time.process_time()
        try:
            read(subject, content, folder / name)
        except ValueError as error:
            message = str(error)
            assert str(folder / name / subject.file) in message, message
            assert len(message) < 2000, len(message)
        limit = SECONDS_A_FILE + SECONDS_A_BYTE * len(content)
        assert time.process_time() - began < limit

    fuzz()


def read(subject: Subject, content: bytes, folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    for name, beside in subject.beside:
        (folder / name).write_bytes(beside)
    (folder / subject.file).write_bytes(content)
    subject.read(folder / subject.file)
