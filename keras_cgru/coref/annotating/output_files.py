"""Which files a run writes, and whether it may."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from keras_cgru.coref.annotating.parquet_file import read_metadata
from keras_cgru.coref.formats.released import passages_path


def output_files(form: str | None, path: str | os.PathLike[str]) -> list[Path]:
    """The files that an output, or an input, of a form consists of.

    Raises:
        ValueError: The form does not take such a name.
    """
    if form == "released-lambada":
        return [Path(path), passages_path(path)]
    return [Path(path)]


def check_output(
    form: str, output: str | os.PathLike[str], inputs: Iterable[Path]
) -> None:
    """Refuses an output that could not, or must not, be written.

    Args:
        form: Its format.
        output: Its file.
        inputs: All files that will be read.

    Raises:
        ValueError: It has a name that its form does not take, is a folder, or an input.
    """
    read = {_real(file) for file in inputs}
    for file in output_files(form, output):
        if file.is_dir():
            raise ValueError(f"--output must not be a folder. Received: {file}")
        if _real(file) in read:
            raise ValueError(f"--output must not replace an input. Received: {file}")


def check_answers(
    form: str, kind: str | None, paths: Iterable[str | os.PathLike[str]]
) -> None:
    """Refuses LAMBADA without the answers for the released form, which has them.

    Args:
        form: The format of the output.
        kind: What the input files hold.
        paths: The input files.

    Raises:
        ValueError: A file is Parquet of ours that was made of LAMBADA.
    """
    if (form, kind) != ("released-lambada", "parquet"):
        return
    for path in paths:
        try:
            made_of = read_metadata(path).get("input")
        except ValueError:
            # Parquet of others, about which nothing is known.
            continue
        if made_of == "lambada":
            raise ValueError(
                f"{os.fspath(path)}: for --format released-lambada the input must be "
                "the LAMBADA file itself. Received: its passages without the answers"
            )


def check_absent(files: Sequence[Path]) -> None:
    """Refuses files that only --overwrite may replace.

    Raises:
        ValueError: One of them exists.
    """
    for file in files:
        if file.exists():
            raise ValueError(
                f"--output must not exist, unless with --overwrite. Received: {file}"
            )


def is_output_of(job: Mapping[str, Any], path: str | os.PathLike[str]) -> bool:
    """Whether a Parquet file is what a job makes."""
    before = read_metadata(path)
    return all(before.get(name) == value for name, value in job.items())


def _real(path: Path) -> str:
    return os.path.realpath(path)
