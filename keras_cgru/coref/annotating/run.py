"""Annotates documents into a file: chunk by chunk, resumable, the same every time."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

from keras_cgru.coref.annotating.outputs.part import Failure, Part, read_part
from keras_cgru.coref.annotating.outputs.part_folder import PartFolder
from keras_cgru.coref.annotating.outputs.report import Report
from keras_cgru.coref.annotating.outputs.sayable import write_sayable
from keras_cgru.coref.annotating.pieces.join_pieces import join_pieces
from keras_cgru.coref.annotating.progress_line import ProgressLine
from keras_cgru.coref.annotating.raw_document import (
    Chunk,
    RawDocument,
    split_into_chunks,
)
from keras_cgru.coref.formats import FORMATS
from keras_cgru.coref.formats.parquet import to_documents, write_tables

# Annotates chunks in any order; gives the bytes of their parts.
Engine = Callable[[Iterator[Chunk]], Generator[bytes, None, None]]


def annotate_parts(
    documents: Iterable[RawDocument],
    engine: Engine,
    folder: PartFolder,
    progress: ProgressLine,
) -> Report:
    """Annotates what is not yet in the folder.

    Documents that failed in an earlier run are tried again, the others of their chunk
    are not.

    Args:
        documents: All documents, in the order of the output.
        engine: Does the work.
        folder: Keeps the parts; started.
        progress: Told of every part.

    Returns:
        The report on all parts.
    """
    report = Report()
    # A chunk's old part, of which some documents failed, and its size.
    begun: dict[int, tuple[bytes | None, int]] = {}

    def to_do() -> Iterator[Chunk]:
        for chunk in split_into_chunks(documents):
            before = folder.read(chunk.index)
            rest = chunk if before is None else _failed(chunk, before)
            if before is not None:
                progress.skip(chunk.size - rest.size)
            if before is not None and not rest.documents:
                report.count(read_part(before)[0])
                continue
            begun[chunk.index] = before, rest.size
            yield rest

    with closing(engine(to_do())) as contents:  # Ctrl-C ends its processes, too.
        for content in contents:
            head, _ = read_part(content)
            before, size = begun.pop(head["index"])
            report.tokens_here += head["num_tokens"]
            report.seconds_here += head["seconds"]
            progress.add(size, head["num_tokens"])
            if before is not None:
                merged = Part.from_bytes(before).merged(Part.from_bytes(content))
                content = merged.to_bytes()
                head, _ = read_part(content)
            folder.write(head["index"], content)
            report.count(head)
    report.close()
    return report


def _failed(chunk: Chunk, before: bytes) -> Chunk:
    failed = {failure["position"] for failure in read_part(before)[0]["failures"]}
    return replace(
        chunk, documents=tuple(pair for pair in chunk.documents if pair[0] in failed)
    )


def assemble(
    folder: PartFolder,
    num_chunks: int,
    output: str | os.PathLike[str],
    form: str,
    metadata: Mapping[str, Any],
    leave_out: bool = False,
) -> list[Failure]:
    """Makes the output of all parts, in the order of the input.

    Args:
        folder: Where the parts are.
        num_chunks: How many there must be.
        output: The file to write; it appears when it is complete.
        form: A name in `FORMATS` that can be written.
        metadata: Kept in a Parquet file.
        leave_out: Whether to write the output without the documents that its format
            cannot say.

    Returns:
        The documents that the format cannot say. Unless these are to be left out,
        nothing is written where there are any.
    """

    def each_part() -> Iterator[tuple[dict[str, Any], Any]]:
        for index in range(num_chunks):
            content = folder.read(index)
            if content is None:
                raise ValueError(f"{folder.path}: must hold part {index}. It is gone")
            yield read_part(content)

    def parts() -> Iterator[tuple[dict[str, Any], Any]]:
        return join_pieces(each_part())

    if form == "parquet":  # The one that keeps metadata and is written bit by bit.
        write_tables(output, (table for _, table in parts()), metadata)
        return []
    write = FORMATS[form].write
    assert write is not None  # `check_form` refused it.
    documents = [
        pair
        for head, table in parts()
        for pair in zip(head["positions"], to_documents(table), strict=True)
    ]
    return write_sayable(write, Path(output), documents, leave_out, folder.path)


def check_form(form: str) -> None:
    """Refuses an output format that cannot be written.

    Raises:
        ValueError: It is none of the formats with a writer.
    """
    names = sorted(FORMATS, key=lambda name: name != "parquet")  # The default first.
    names = [name for name in names if FORMATS[name].write]
    if form not in names:
        raise ValueError(
            f"`format` must be one of {', '.join(names)}. Received: {form}"
        )
