"""The files that a user's inputs are."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from keras_cgru.coref.annotating.inputs.input_kind import InputKind
from keras_cgru.files import to_path


def files_of(
    values: Iterable[str], kinds: Mapping[str, InputKind], asked: str | None
) -> list[str]:
    """Puts in the place of each folder its files, in the order of their names.

    Of a folder those files are taken whose names are like those of the kind that is
    asked for, or of any; where names say nothing of the kind, all. Hidden files and
    folders within are left out.

    Args:
        values: Files, folders, or "-".
        kinds: All kinds by name.
        asked: The kind that the user names, if any.

    Raises:
        ValueError: A folder holds no such file, or a value is an address.
    """
    files: list[str] = []
    for value in values:
        folder = None if value == "-" else to_path(value, "inputs")
        if folder is None or not folder.is_dir():
            files.append(value)
            continue
        found = _inside(folder, kinds, asked)
        if not found:
            wanted = asked or "of text (.txt, .text), .json or .parquet"
            raise ValueError(
                f"`inputs` must be files, or folders of files. Received: {value}, "
                f"which holds no file {'for `input` ' if asked else ''}{wanted}"
            )
        files += map(os.fspath, found)
    return files


def _inside(
    folder: Path, kinds: Mapping[str, InputKind], asked: str | None
) -> Sequence[Path]:
    every = sorted(
        path
        for path in folder.iterdir()
        if path.is_file() and not path.name.startswith(".")
    )
    if asked is not None and asked in kinds:
        if not kinds[asked].has_names:
            return every
        kinds = {asked: kinds[asked]}
    return [
        path
        for path in every
        if any(kind.fits(path.name.lower()) for kind in kinds.values())
    ]
