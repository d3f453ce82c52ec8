"""What the output of a run depends on, to be kept with it and compared at a resume."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from keras_cgru.coref.annotating.inputs.file_names import distinct_names
from keras_cgru.coref.annotating.inputs.input_kind import InputKind
from keras_cgru.version import __version__


def describe_job(
    kind: InputKind | None,
    paths: Sequence[str | os.PathLike[str]],
    resolver: Mapping[str, Any],
    limit: int | None,
    whole: bool = False,
) -> dict[str, Any]:
    """Describes a run, in what can be written as JSON.

    Folders are left out, unless they tell files of one name apart: a file that is moved
    stays the same file.

    Args:
        kind: What the input files hold; None where there are none.
        paths: The input files.
        resolver: Where the clusters come from.
        limit: How many documents are annotated; None for all.
        whole: Whether documents end with what no resolver saw.

    Raises:
        FileNotFoundError: A file does not exist.
    """
    job = {
        "package": __version__,
        "input": kind.name if kind else None,
        "sources": describe_files(paths),
        "tokeniser": _nltk_version() if kind and kind.tokenises else None,
        "limit": limit,
        "resolver": dict(resolver),
    }
    return job | {"answers": True} if whole else job


def describe_files(paths: Sequence[str | os.PathLike[str]]) -> list[dict[str, str]]:
    """The name and the SHA-256 of each file."""
    described = []
    for path, name in zip(paths, distinct_names(paths), strict=True):
        with open(path, "rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        described.append({"name": name, "sha256": digest})
    return described


def _nltk_version() -> str | None:
    try:
        return f"nltk {version('nltk')}"
    except PackageNotFoundError:
        return None
