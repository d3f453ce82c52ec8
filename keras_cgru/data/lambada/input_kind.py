"""LAMBADA as a kind of input for `tools/annotate.py`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from keras_cgru.coref.annotating.inputs.input_kind import InputKind, one_by_one
from keras_cgru.coref.annotating.raw_document import RawDocument
from keras_cgru.data.lambada.version import check_tokenised
from keras_cgru.files.text_lines import read_lines_or_errors


def _check(path: Path) -> None:
    lines = [
        (number, line)
        for number, line in read_lines_or_errors(path)
        if isinstance(line, str) and line.strip()
    ]
    if lines:
        check_tokenised(path, lines)


def _read(path: Path) -> Iterator[RawDocument]:
    """A line is a document; its id is that of `read_lambada`."""
    name = path.name.lower()
    named = [split for split in ("development", "test") if split in name]
    split = named[0] if named else path.stem
    lines = (
        line
        for _, line in read_lines_or_errors(path)
        if isinstance(line, ValueError) or line.strip()
    )
    for number, line in enumerate(lines):
        id = f"{split}-{number:05d}"
        if isinstance(line, ValueError):
            yield RawDocument(id, error=str(line), file=str(path))
            continue
        *tokens, answer = line.split()
        yield RawDocument(id, tokens=tuple(tokens), held_back=(answer,), file=str(path))


LAMBADA = InputKind(
    "lambada",
    one_by_one(_read),
    fits=lambda name: name.startswith("lambada") and name.endswith(".txt"),
    check=_check,
    # The answer, which no annotation may know.
    whole_in="released-lambada",
)
