"""JSON documents and JSON lines, with errors that name file and line."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from typing import Any, TypeVar

from keras_cgru.files.atomic_write import atomic_write
from keras_cgru.files.text_lines import read_lines_or_errors

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


def read_json_lines(path: str | os.PathLike[str]) -> Iterator[tuple[str, Any]]:
    """Yields the objects of a JSON lines file, each with "file:line".

    In the place of a line that is no object stands the `ValueError` that says so.

    Raises:
        ValueError: The file holds no line.
    """
    return _objects(os.fspath(path), read_lines_or_errors(path))


def read_json_records(path: str | os.PathLike[str]) -> Iterator[tuple[str, Any]]:
    """The same of a file that holds JSON lines or one JSON document of any layout."""
    source = os.fspath(path)
    lines = list(read_lines_or_errors(path))
    if _are_records(lines):
        return _objects(source, lines)
    for number, line in lines:
        if isinstance(line, ValueError):
            return iter([(f"{source}:{number}", line)])
    text = "\n".join(str(line) for _, line in lines)
    if not text.strip():
        return _objects(source, [])
    return iter([(f"{source}:1", _try(text, source, 1))])


def _objects(
    source: str, lines: Iterable[tuple[int, str | ValueError]]
) -> Iterator[tuple[str, Any]]:
    empty = True
    for number, line in lines:
        if isinstance(line, ValueError) or line.strip():
            empty = False
            found = _try(line, source, number) if isinstance(line, str) else line
            yield f"{source}:{number}", found
    if empty:
        # What a system that failed left is no corpus without documents.
        raise ValueError(f"{source}: must hold a JSON object. Received: none")


def _try(text: str, source: str, line: int) -> dict[str, Any] | ValueError:
    try:
        return parse_json(text, source, line)
    except ValueError as error:
        return error


def _are_records(lines: Iterable[tuple[int, str | ValueError]]) -> bool:
    """Whether each line is a record, rather than a part of one document."""
    filled = [line for _, line in lines if isinstance(line, ValueError) or line.strip()]
    begun = [line for line in filled if isinstance(line, str) and line[0] == "{"]
    if len(filled) < 2 or not begun:
        return False
    # Others may stand between them, such as what a server said in the place of one.
    return len(begun) == len(filled) or any(
        isinstance(found := _try(line, "", 1), dict) and found for line in begun
    )


def write_json_lines(path: str | os.PathLike[str], records: Iterable[Any]) -> None:
    """Writes one line of UTF-8 JSON a record, replacing the file as a whole."""
    with atomic_write(path) as file:
        for record in records:
            file.write(json.dumps(record, ensure_ascii=False).encode("utf-8") + b"\n")
