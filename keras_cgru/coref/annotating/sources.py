"""Reads what is to be annotated: running text, LAMBADA, WikiHop, Parquet, formats."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from keras_cgru.coref.annotating.file_names import distinct_stems
from keras_cgru.coref.annotating.parquet_file import require_pyarrow
from keras_cgru.coref.annotating.raw_document import RawDocument
from keras_cgru.coref.annotating.text_file import read_json_text, read_text
from keras_cgru.coref.formats import FORMATS
from keras_cgru.files.text_lines import read_lines

_READ_AT_ONCE = 256


def guess_kind(path: str | os.PathLike[str]) -> str:
    """What a file seems to hold, by its name: "text", "lambada", "wikihop", "parquet".

    Raises:
        ValueError: The name says nothing.
    """
    name = Path(path).name.lower()
    if name.endswith(".parquet"):
        return "parquet"
    if name.endswith(".json"):
        return "wikihop"
    if name.startswith("lambada") and name.endswith(".txt"):
        return "lambada"
    if name.endswith((".txt", ".text")):
        return "text"
    raise ValueError(
        f"--input must say what {os.fspath(path)} holds. Received: no --input, and a "
        "name that ends with none of .txt, .json, .parquet"
    )


class Source:
    """Documents of several files of one kind, in the order of the files.

    Args:
        kind: "text": a file is a document, named after it. "lambada": a line is a
            document, a tokenised passage without its last word, which is the answer
            that no annotation may know; its id is that of `read_lambada`. "wikihop":
            a record's supports are a document, each a paragraph. "parquet": a row is a
            document, with the columns `id` and `tokens` and, if known,
            `sentence_starts`. Or a name in `FORMATS`, whose clusters are left out.
        paths: The files, at least one.
        answers: Whether LAMBADA's documents bring the answer along, as `held_back`.

    Raises:
        FileNotFoundError: A file does not exist.
        ValueError: A file is broken, or `kind` is none of these; the message names
            file and line, or record.
        ImportError: Parquet is to be read without pyarrow.
    """

    def __init__(
        self,
        kind: str,
        paths: Sequence[str | os.PathLike[str]],
        answers: bool = False,
    ) -> None:
        self.kind = kind
        self._answers = answers
        self.paths = [Path(path) for path in paths]
        self._documents: list[RawDocument] | None = None
        if kind == "parquet":
            self.size = sum(map(_parquet_size, self.paths))
        elif kind == "text" or kind in _READERS or kind in FORMATS:
            self._documents = list(self._read())
            self.size = sum(document.size for document in self._documents)
        else:
            names = ", ".join(["text", *_READERS, *FORMATS])
            raise ValueError(f"--input must be one of {names}. Received: {kind}")

    def __iter__(self) -> Iterator[RawDocument]:
        return self._read() if self._documents is None else iter(self._documents)

    def _read(self) -> Iterator[RawDocument]:
        if self.kind == "text":
            yield from _read_texts(self.paths)
            return
        for path in self.paths:
            if self.kind == "lambada":
                yield from _read_lambada(path, self._answers)
            elif self.kind in _READERS:
                yield from _READERS[self.kind](path)
            else:
                yield from _read_format(self.kind, path)


def _read_texts(paths: Sequence[Path]) -> Iterator[RawDocument]:
    for path, id in zip(paths, distinct_stems(paths), strict=True):
        yield RawDocument(id, text=read_text(path), source=str(path))


def _read_lambada(path: Path, answers: bool = False) -> Iterator[RawDocument]:
    name = path.name.lower()
    named = [split for split in ("development", "test") if split in name]
    split = named[0] if named else path.stem
    lines = (line for _, line in read_lines(path) if line.strip())
    for index, line in enumerate(lines):
        *tokens, answer = line.split()
        yield RawDocument(
            f"{split}-{index:05d}",
            tokens=tuple(tokens),
            held_back=(answer,) if answers else (),
            source=str(path),
        )


def _read_wikihop(path: Path) -> Iterator[RawDocument]:
    records = read_json_text(path)
    if not isinstance(records, list):
        raise ValueError(
            f"{path}: must be a list of records. Received: {type(records).__name__}"
        )
    for index, record in enumerate(records):
        where = f"{path}: record {index}"
        if not isinstance(record, dict) or not {"id", "supports"} <= set(record):
            raise ValueError(
                f"{where} must have `id` and `supports`. Received: "
                f"{sorted(record) if isinstance(record, dict) else record!r}"
            )
        supports = record["supports"]
        if not isinstance(supports, list) or not all(
            isinstance(each, str) for each in supports
        ):
            raise ValueError(
                f"{where}: `supports` must be a list of strings. "
                f"Received: {str(supports)[:60]}"
            )
        yield RawDocument(
            _check_id(where, record["id"]),
            text="\n\n".join(supports),
            source=str(path),
        )


def _check_id(where: str, id: Any) -> str:
    """An id as text; a number is one, but nothing else that is no string."""
    if not isinstance(id, (str, int)) or isinstance(id, bool):
        raise ValueError(
            f"{where}: `id` must be a string or an integer. Received: {str(id)[:60]}"
        )
    return str(id)


def _read_parquet(path: Path) -> Iterator[RawDocument]:
    columns = ["id", "tokens", "sentence_starts"]
    with _open_parquet(path) as file:
        known = [name for name in columns if name in file.schema_arrow.names]
        batches = file.iter_batches(_READ_AT_ONCE, columns=known)
        rows = (row for batch in batches for row in batch.to_pylist())
        for number, row in enumerate(rows):
            where = f"{path}: row {number}"
            starts = row.get("sentence_starts")
            yield RawDocument(
                _check_id(where, row["id"]),
                tokens=_check_list(where, "tokens", row["tokens"]),
                sentence_starts=None
                if starts is None
                else _check_list(where, "sentence_starts", starts),
                source=str(path),
            )


def _check_list(where: str, name: str, values: Any) -> tuple[Any, ...]:
    if not isinstance(values, list) or None in values:
        received = f"{values}"[:60]
        raise ValueError(
            f"{where}: `{name}` must be a list without nulls. Received: {received}"
        )
    return tuple(values)


def _parquet_size(path: Path) -> int:
    import pyarrow.compute as pc

    with _open_parquet(path) as file:
        return sum(
            pc.sum(pc.utf8_length(batch.column(0).flatten())).as_py() or 0
            for batch in file.iter_batches(_READ_AT_ONCE, columns=["tokens"])
        )


def _open_parquet(path: Path) -> Any:
    pa = require_pyarrow()
    try:
        file = pa.parquet.ParquetFile(path)
    except pa.ArrowInvalid as error:
        raise ValueError(f"{path}: must be Parquet. Received: {error}") from error
    names = file.schema_arrow.names
    types = pa.types
    if not {"id", "tokens"} <= set(names):
        raise ValueError(f"{path}: must have `id` and `tokens`. Received: {names}")
    kind = file.schema_arrow.field("tokens").type
    is_list = types.is_list(kind) or types.is_large_list(kind)
    if not (
        is_list
        and (types.is_string(kind.value_type) or types.is_large_string(kind.value_type))
    ):
        raise ValueError(f"{path}: `tokens` must be lists of strings. Received: {kind}")
    return file


def _read_format(kind: str, path: Path) -> Iterator[RawDocument]:
    for document in FORMATS[kind].read(path):
        annotation = document.annotation
        yield RawDocument(
            document.id,
            tokens=annotation.tokens,
            sentence_starts=annotation.sentence_starts,
            source=str(path),
        )


_READERS: dict[str, Callable[[Path], Iterator[RawDocument]]] = {
    "lambada": _read_lambada,
    "wikihop": _read_wikihop,
    "parquet": _read_parquet,
}
