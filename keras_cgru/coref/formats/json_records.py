"""JSON documents and JSON lines, with errors that name file and line."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from typing import Any, TypeVar

from keras_cgru.files.atomic_write import atomic_write
from keras_cgru.files.text_lines import read_lines

T = TypeVar("T")


def parse_json(text: str, source: str, line: int = 1) -> dict[str, Any]:
    """Parses an object.

    Args:
        text: The JSON.
        source: The file or address that it came from, for messages.
        line: The line of the file in which it starts.

    Raises:
        ValueError: It is no JSON, or something else than an object; the message names
            the line of the fault and shows how the text goes on there.
    """
    return _parse(text, source, line, dict, "object")


def parse_json_list(text: str, source: str, line: int = 1) -> list[Any]:
    """The same for a list."""
    return _parse(text, source, line, list, "list")


def _parse(text: str, source: str, line: int, kind: type[T], name: str) -> T:
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        here = line + error.lineno - 1
        start = error.pos if text.lstrip().startswith(("{", "[")) else 0
        rest = repr(text[start : start + 60]) if text[start:] else "the end of the text"
        raise ValueError(
            f"{source}:{here}: must be JSON ({error.msg}). Received: {rest}"
        ) from error
    except (RecursionError, ValueError) as error:
        raise ValueError(
            f"{source}:{line}: must be JSON of a sensible size. Received: {error}"
        ) from error
    if not isinstance(value, kind):
        raise ValueError(
            f"{source}:{line}: must be a JSON {name}. Received: {text.strip()[:60]!r}"
        )
    return value


def read_json_lines(path: str | os.PathLike[str]) -> Iterator[tuple[str, dict]]:
    """Yields the objects of a JSON lines file, each with "file:line".

    Raises:
        ValueError: A line is no object, or the file holds none.
    """
    source = os.fspath(path)
    empty = True
    for number, line in read_lines(path):
        if line.strip():
            empty = False
            yield f"{source}:{number}", parse_json(line, source, number)
    if empty:
        # What a system that failed left is no corpus without documents.
        raise ValueError(f"{source}: must hold a JSON object. Received: none")


def read_json_records(path: str | os.PathLike[str]) -> Iterator[tuple[str, dict]]:
    """The same of a file that holds JSON lines or one JSON document of any layout."""
    lines = list(read_lines(path))
    filled = [line for _, line in lines if line.strip()]
    if len(filled) == 1 or not all(line.startswith("{") for line in filled):
        source = os.fspath(path)
        yield f"{source}:1", parse_json("\n".join(line for _, line in lines), source)
    else:
        yield from read_json_lines(path)


def write_json_lines(path: str | os.PathLike[str], records: Iterable[Any]) -> None:
    """Writes one line of UTF-8 JSON a record, replacing the file as a whole."""
    with atomic_write(path) as file:
        for record in records:
            file.write(json.dumps(record, ensure_ascii=False).encode("utf-8") + b"\n")
