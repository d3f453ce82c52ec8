"""The files that hold finished cells: run folders, and JSON lines made of them."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from keras_cgru.data.babi.results.cell import OTHER_DATA, BabiCell
from keras_cgru.files import atomic_write, parse_json, read_json, to_path
from keras_cgru.files.text_lines import read_lines


def read_cells(path: str | os.PathLike[str]) -> list[BabiCell]:
    """Reads finished cells, in the order of task, model, dropped mentions, seed.

    Args:
        path: The folder that `recipes/babi.py` wrote, or a file of `write_cells`.

    Returns:
        The cells; none where none of the folder's is finished.

    Raises:
        FileNotFoundError: There is no such file or folder.
        ValueError: A file is malformed, or two different cells are of the same model,
            task, seed and share of dropped mentions; the message names file and line.
    """
    return unique_cells(each_cell(to_path(path)))


def each_cell(path: Path) -> Iterator[BabiCell]:
    """The cells of a folder or file as they come; see `read_cells`."""
    if path.is_dir():
        # A cell lies below its model and its task.
        files = path.glob("*/task-*/seed-*/metrics.json")
        yield from (_read_folder(file.parent) for file in sorted(files))
        return
    if not path.exists():
        raise FileNotFoundError(
            f"{path}: must be the folder that recipes/babi.py wrote, or a file of "
            "cells. Received: no such folder or file"
        )
    yield from (_read_line(path, *line) for line in read_lines(path))


def write_cells(path: str | os.PathLike[str], cells: Iterable[BabiCell]) -> None:
    """Writes cells, one JSON object a line."""
    with atomic_write(path) as file:
        for cell in cells:
            curve = {"curve": cell.curve} if cell.curve else {}
            line = json.dumps({**cell.metrics, **curve})
            file.write(line.encode("ascii") + b"\n")


def unique_cells(cells: Iterable[BabiCell]) -> list[BabiCell]:
    """Each cell once, in the order of task, model, dropped mentions, seed.

    The same cell may come twice, as from a folder and from a file that was made of it.

    Raises:
        ValueError: Two different cells are of the same model, task, seed and share of
            dropped mentions; the message names both.
    """
    found: dict[tuple, BabiCell] = {}
    for cell in cells:
        first = found.setdefault(cell.key, cell)
        # Not the values themselves: NaN is not equal to itself.
        was, now = (
            {name: json.dumps(value, sort_keys=True) for name, value in c.items()}
            for c in (first.metrics, cell.metrics)
        )
        for name in was | now:
            if was.get(name) != now.get(name):
                raise ValueError(
                    f"{cell.source}: must be the same cell as {first.source}, or of "
                    f"another model, task or seed: `{name}` is {was.get(name)} there. "
                    f"Received: {now.get(name)}"
                )
        if first.folder is None and cell.folder is not None:
            first, cell = cell, first
        found[cell.key] = replace(first, curve=first.curve or cell.curve)
    return sorted(found.values(), key=_order)


def _order(cell: BabiCell) -> tuple:
    return cell.task, cell.model, cell.dropped_mentions, cell.seed


def _read_folder(folder: Path) -> BabiCell:
    metrics, config = (
        _object(read_json(folder / name), folder / name)
        for name in ("metrics.json", "config.json")
    )
    for name in ("training", "data"):
        if not isinstance(config.get(name), dict):
            raise ValueError(
                f"{folder / 'config.json'}: `{name}` must be an object. Received: "
                f"{config.get(name)!r:.80}"
            )
    data = config["data"]
    described = {"training": config["training"], "data": data.get("kind")}
    if data.get("limit") is not None:
        described["limit"] = data["limit"]
    if str(data.get("kind")).startswith(OTHER_DATA):
        # Not the hashes themselves: they would be most of a line.
        hashes = json.dumps(data.get("sha256"), sort_keys=True).encode()
        described["files"] = hashlib.sha256(hashes).hexdigest()[:12]
    return BabiCell({**metrics, **described}, str(folder / "metrics.json"), folder)


def _read_line(path: Path, number: int, line: str) -> BabiCell:
    where = f"{path}:{number}"
    content = parse_json(line, where)
    metrics = dict(_object(content, where))
    curve = metrics.pop("curve", None)
    if curve is None:
        return BabiCell(metrics, where)
    if not _is_curve(curve):
        raise ValueError(
            f"{where}: `curve` must be pairs of updates, which grow, and a number from "
            f"0 to 1. Received: {curve!r:.80}"
        )
    return BabiCell(metrics, where, curve=tuple((x, y) for x, y in curve))


def _is_curve(content: Any) -> bool:
    if not isinstance(content, list):
        return False
    for point in content:
        if not isinstance(point, list) or list(map(type, point)) != [int, float]:
            return False
    after = [0, *(updates for updates, _ in content)]
    return all(a < b for a, b in pairwise(after)) and all(
        0 <= y <= 1 for _, y in content
    )


def _object(content: Any, where: object) -> Mapping[str, Any]:
    if not isinstance(content, dict):
        raise ValueError(f"{where}: must be a JSON object. Received: {content!r:.80}")
    return content
