"""Readings as JSON, so that a run can keep them."""

from __future__ import annotations

import gzip
import json
import os
import zlib
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from keras_cgru.files import atomic_write, split_lines, to_path
from keras_cgru.inspection.answer import Answer
from keras_cgru.inspection.checks import refuse
from keras_cgru.inspection.passage import Pass, Passage
from keras_cgru.inspection.reading import Reading


def reading_to_json(reading: Reading) -> dict[str, Any]:
    """Plain dicts, lists, strings and numbers; `reading_from_json` undoes it."""
    return {
        "id": reading.id,
        "title": reading.title,
        "labels": dict(reading.labels),
        "document": _passage_to_json(reading.document),
        "query": _passage_to_json(reading.query),
        "answers": [
            {
                "tokens": list(answer.tokens),
                "probability": answer.probability,
                "positions": list(answer.positions),
            }
            for answer in reading.answers
        ],
        "gold": None if reading.gold is None else list(reading.gold),
    }


def reading_from_json(entry: Any) -> Reading:
    """Makes a reading of what `reading_to_json` gave.

    All but `id` and `document` may be left out; fields that no reading has are allowed.

    Raises:
        ValueError: A field is missing or has the wrong form; the message names it.
    """
    entry = _object("reading", entry)
    if "id" not in entry or "document" not in entry:
        refuse("reading", "have `id` and `document`", sorted(entry))
    optional = ("title", "labels", "gold")
    answers = entry.get("answers", [])
    if not isinstance(answers, list):
        refuse("answers", "be a list", answers)
    return Reading(
        id=entry["id"],
        document=_passage_from_json("document", entry["document"]),
        query=_passage_from_json("query", entry.get("query", {"tokens": []})),
        answers=tuple(_answer_from_json(each) for each in answers),
        **{name: entry[name] for name in optional if name in entry},
    )


def write_readings(path: str | os.PathLike[str], readings: Iterable[Reading]) -> None:
    """Writes JSON lines, one a reading, replacing the file as a whole.

    A file whose name ends in ".gz" is compressed; the same readings give the same file.
    """
    with atomic_write(path) as file:
        if not _is_compressed(path):
            file.writelines(map(_line, readings))
            return
        with gzip.GzipFile("", "wb", fileobj=file, mtime=0) as compressed:
            compressed.writelines(map(_line, readings))


def read_readings(path: str | os.PathLike[str]) -> Iterator[Reading]:
    """Yields the readings of a file of JSON lines, in its order.

    Args:
        path: The file; compressed if its name ends in ".gz".

    Raises:
        FileNotFoundError: There is no such file.
        ValueError: A line holds no reading, or the file is damaged; the message names
            file and line.
    """
    opened: Any = gzip.open if _is_compressed(path) else open
    number = 0
    with opened(to_path(path), "rb") as file:
        try:
            for number, line in split_lines(file, path):
                yield _parse(f"{path}:{number}", line)
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            raise ValueError(
                f"{path}:{number + 1}: must be compressed by gzip. Received: {error}"
            ) from error


def _is_compressed(path: str | os.PathLike[str]) -> bool:
    return os.fspath(path).endswith(".gz")


def _line(reading: Reading) -> bytes:
    # Escapes keep even the halves of characters that a damaged source holds.
    return json.dumps(reading_to_json(reading)).encode("ascii") + b"\n"


def _parse(where: str, line: str) -> Reading:
    try:
        return reading_from_json(json.loads(line))
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{where}: {error}") from error


def _passage_to_json(passage: Passage) -> dict[str, Any]:
    return {
        "tokens": list(passage.tokens),
        # The common case, one id a token, in its common form.
        "clusters": [
            list(ids) if len(ids) > 1 else next(iter(ids), 0)
            for ids in passage.clusters
        ],
        "alpha": [
            {"layer": layer, "direction": direction, "weights": list(weights)}
            for (layer, direction), weights in passage.alpha.items()
        ],
        "attention": list(passage.attention),
    }


def _passage_from_json(name: str, entry: Any) -> Passage:
    entry = _object(name, entry)
    if "tokens" not in entry:
        refuse(name, "have `tokens`", sorted(entry))
    passes = entry.get("alpha", [])
    wanted = {"layer", "direction", "weights"}
    if not isinstance(passes, list) or not all(
        isinstance(each, Mapping) and wanted <= set(each) for each in passes
    ):
        refuse("alpha", "be a list of objects with layer, direction, weights", passes)
    return Passage(
        tokens=entry["tokens"],
        clusters=entry.get("clusters", ()),
        alpha={
            Pass(each["layer"], each["direction"]): each["weights"] for each in passes
        },
        attention=entry.get("attention", ()),
    )


def _answer_from_json(entry: Any) -> Answer:
    entry = _object("answers", entry)
    if not {"tokens", "probability"} <= set(entry):
        refuse("answers", "have `tokens` and `probability` each", sorted(entry))
    return Answer(entry["tokens"], entry["probability"], entry.get("positions", ()))


def _object(name: str, entry: Any) -> Mapping[str, Any]:
    if not isinstance(entry, Mapping):
        refuse(name, "be a JSON object", entry)
    return entry
