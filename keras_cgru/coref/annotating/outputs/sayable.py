"""Writes the documents that a format can say, and names those that it cannot."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from keras_cgru.coref.annotating.outputs.part import Failure
from keras_cgru.coref.document import Document

Write = Callable[[str | Path, Iterable[Document]], Any]
Placed = tuple[int, Document]


def write_sayable(
    write: Write,
    output: Path,
    documents: Sequence[Placed],
    leave_out: bool,
    scratch: Path,
) -> list[Failure]:
    """Writes a file, unless documents cannot be written that must not be left out.

    Args:
        write: Writes the format; raises `ValueError` at a document that it cannot say.
        output: The file.
        documents: The documents, each with its place in the input.
        leave_out: Whether to write the file without those that cannot be written.
        scratch: A folder for trials; must exist.

    Returns:
        The documents that cannot be written.
    """
    output.parent.mkdir(parents=True, exist_ok=True)
    try:
        write(output, [document for _, document in documents])
    except ValueError:
        with tempfile.TemporaryDirectory(dir=scratch, prefix="trial-") as folder:
            # The name of the output, as formats may want a suffix.
            failures = list(_unsayable(write, Path(folder, output.name), documents))
        if not failures:
            raise
        if leave_out:
            refused = {failure.position for failure in failures}
            kept = [each for position, each in documents if position not in refused]
            write(output, kept)
        return failures
    return []


def _unsayable(
    write: Write, trial: Path, documents: Sequence[Placed]
) -> Iterable[Failure]:
    """Finds by halving what cannot be written, which is seldom much."""
    try:
        write(trial, [document for _, document in documents])
    except ValueError as error:
        if len(documents) == 1:
            ((position, document),) = documents
            num_tokens = len(document.annotation.tokens)
            yield Failure(position, document.id, str(error), num_tokens)
            return
        middle = len(documents) // 2
        yield from _unsayable(write, trial, documents[:middle])
        yield from _unsayable(write, trial, documents[middle:])
