"""The kinds of input that belong to no data set in particular."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from keras_cgru.coref.annotating.inputs.file_names import distinct_stems
from keras_cgru.coref.annotating.inputs.input_kind import InputKind, one_by_one
from keras_cgru.coref.annotating.inputs.text_file import read_text
from keras_cgru.coref.annotating.raw_document import RawDocument
from keras_cgru.coref.formats import FORMATS, BadRecord, Format
from keras_cgru.coref.formats.parquet_rows import (
    check_id,
    check_list,
    num_characters,
    read_rows,
)


def _read_texts(paths: Sequence[Path]) -> Iterator[RawDocument]:
    for path, id in zip(paths, distinct_stems(paths), strict=True):
        yield RawDocument(id, text=read_text(path), file=str(path))


def _read_parquet(path: Path) -> Iterator[RawDocument]:
    rows = read_rows(path, ("id", "tokens"), ("sentence_starts", "record"))
    for number, (where, row) in enumerate(rows):
        try:
            if isinstance(row, ValueError):
                raise row
            yield _read_row(path, where, row)
        except ValueError as error:
            yield RawDocument(f"row {number}", error=str(error), file=str(path))


def _read_row(path: Path, where: str, row: Mapping[str, Any]) -> RawDocument:
    starts, record = row.get("sentence_starts"), row.get("record")
    return RawDocument(
        check_id(where, row["id"]),
        tokens=check_list(where, "tokens", row["tokens"]),
        sentence_starts=None
        if starts is None
        else check_list(where, "sentence_starts", starts),
        # A column of that name may be anything in files of others.
        record=record if isinstance(record, str) else None,
        file=str(path),
    )


def _read_format(form: Format, path: Path) -> Iterator[RawDocument]:
    """The documents of a format without their clusters."""
    for record in form.records(path):
        if isinstance(record, BadRecord):
            yield RawDocument(record.id, error=record.message, file=str(path))
            continue
        annotation = record.annotation
        yield RawDocument(
            record.id,
            tokens=annotation.tokens,
            sentence_starts=annotation.sentence_starts,
            file=str(path),
        )


INPUT_KINDS: dict[str, InputKind] = {
    each.name: each
    for each in (
        InputKind(
            "text",
            _read_texts,
            fits=lambda name: name.endswith((".txt", ".text")),
            size=lambda path: len(read_text(path)),
            tokenises=True,
        ),
        InputKind(
            "parquet",
            one_by_one(_read_parquet),
            fits=lambda name: name.endswith(".parquet"),
            size=num_characters,
        ),
        *(
            InputKind(name, one_by_one(partial(_read_format, form)))
            for name, form in FORMATS.items()
            if name != "parquet"
        ),
    )
}
