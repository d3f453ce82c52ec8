"""Which files a run writes, and whether it may."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from keras_cgru.coref.annotating.inputs.input_kind import InputKind
from keras_cgru.coref.formats import FORMATS
from keras_cgru.coref.formats.parquet import read_metadata
from keras_cgru.files import check_output, to_path
from keras_cgru.files.paths import descriptor_of


def output_files(form: str | None, path: str | os.PathLike[str]) -> list[Path]:
    """The files that an output, or an input, of a form consists of.

    Raises:
        ValueError: The form does not take such a name.
    """
    return FORMATS[form].files(path) if form in FORMATS else [Path(path)]


def checked_output(
    form: str, output: str | os.PathLike[str], inputs: Iterable[Path]
) -> Path:
    """The output, unless it could not, or must not, be written.

    Args:
        form: Its format.
        output: Its file.
        inputs: All files that will be read.

    Returns:
        The file that a link names.

    Raises:
        OSError, ValueError: It has a name that its form does not take, is a folder, an
            input or no regular file, or cannot be written.
    """
    read = {os.path.realpath(file) for file in inputs}
    for file in output_files(form, to_path(output, "output")):
        # First: a wrong name must not make folders.
        if file.is_dir():
            raise ValueError(f"`output` must not be a folder. Received: {file}")
        if os.path.realpath(file) in read:
            raise ValueError(f"`output` must not replace an input. Received: {file}")
    for file in output_files(form, output):
        target = check_output(file, "output")
        is_stream = (
            descriptor_of(target) is not None
        )  # May be a file, opened by others.
        if is_stream or (target.exists() and not target.is_file()):
            raise ValueError(
                "`output` must be a regular file; finished parts are kept beside it. "
                f"Received: {file}"
            )
    return check_output(output, "output")


def check_whole(
    kinds: Mapping[str, InputKind],
    form: str,
    kind: InputKind | None,
    paths: Iterable[str | os.PathLike[str]],
) -> None:
    """Refuses texts that lack what was held back, for a form which has it.

    Args:
        kinds: All kinds by name.
        form: The format of the output.
        kind: What the input files hold.
        paths: The input files.

    Raises:
        ValueError: A file is Parquet of ours that was made without the ends of texts.
    """
    if kind is None or kind.name != "parquet":
        return
    for path in paths:
        try:
            made_of = read_metadata(path).get("input")
        except ValueError:
            # Parquet of others, about which nothing is known.
            continue
        made_by = kinds.get(made_of or "")
        if made_by is not None and made_by.whole_in == form:
            raise ValueError(
                f"{os.fspath(path)}: for `format` {form} the input must be the "
                f"{made_of} file itself. Received: its texts without their ends"
            )


def check_absent(files: Sequence[Path]) -> None:
    """Refuses files that must be asked for to be replaced.

    Raises:
        ValueError: One of them exists.
    """
    for file in files:
        if file.exists():
            raise ValueError(
                f"`output` must not exist, unless with `overwrite`. Received: {file}"
            )


def is_output_of(job: Mapping[str, Any], path: str | os.PathLike[str]) -> bool:
    """Whether a Parquet file is what a job makes."""
    before = read_metadata(path)
    return all(before.get(name) == value for name, value in job.items())
