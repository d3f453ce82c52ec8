"""One finished cell of the bAbI tables, and the files that hold them."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from keras_cgru.files import atomic_write, read_json
from keras_cgru.files.text_lines import read_lines

_NUMBER = (int, float)
_KINDS: dict[str, tuple[type, ...]] = {
    "model": (str,),
    "task": (int,),
    "seed": (int,),
    "dropped_mentions": _NUMBER,
    "parameters": (int,),
    "accuracy_overall": _NUMBER,
    "validation_accuracy": _NUMBER,
    "validation_loss": _NUMBER,
    "train_seconds": _NUMBER,
    "updates": (int,),
    "training": (dict,),
    "data": (str,),
}
_RANGES = {
    "task": (1, 20),
    "dropped_mentions": (0, 1),
    "parameters": (1, math.inf),
    "accuracy_overall": (0, 1),
    "validation_accuracy": (0, 1),
    "train_seconds": (0, math.inf),
    "updates": (1, math.inf),
}
_DATA = ("babi", "simulated")
# Options of a training that earlier versions did not have, and what they did.
FIXED_BEFORE = {"word_stddev": 0.5, "share_memory": "always"}

# For each validation the updates before it, and exp(-cross-entropy of a question).
Curve = tuple[tuple[int, float], ...]


@dataclass(frozen=True)
class BabiCell:
    """What one model reached on one task with one seed.

    Args:
        metrics: All of a cell's `metrics.json`, and of its `config.json` how it was
            trained (`training`) and on what (`data`: babi or simulated; `limit`, where
            only so many questions of each split were used).
        source: The file, and line where it holds several, for errors.
        folder: The cell's run folder; None where it was read from a file of cells.
        curve: How the probability of the right answer to a validation question rose;
            None where it is not known.

    Raises:
        ValueError: A field is missing, has the wrong type or is out of its range.
    """

    metrics: Mapping[str, Any]
    source: str
    folder: Path | None = None
    curve: Curve | None = None

    def __post_init__(self) -> None:
        for name, kinds in _KINDS.items():
            value = self.metrics.get(name)
            if not isinstance(value, kinds) or isinstance(value, bool):
                self._refuse(name, " or ".join(kind.__name__ for kind in kinds))
        for name, (low, high) in _RANGES.items():
            if not low <= self.metrics[name] <= high:
                self._refuse(name, f"from {low} to {high}")
        if self.metrics["data"] not in _DATA:
            self._refuse("data", " or ".join(_DATA))

    def _refuse(self, name: str, wanted: str) -> None:
        value = self.metrics.get(name)
        raise ValueError(f"{self.source}: `{name}` must be {wanted}. Received: {value}")

    @property
    def key(self) -> tuple[str, int, int, float]:
        """Model, task, seed, share of dropped mentions."""
        names = ("model", "task", "seed", "dropped_mentions")
        model, task, seed, dropped = (self.metrics[name] for name in names)
        return model, task, seed, float(dropped)

    @property
    def name(self) -> str:
        """Its path below the folder of all cells."""
        model, task, seed, dropped = self.key
        share = f"-dropped-{dropped:g}" if dropped else ""
        return f"{model}{share}/task-{task:02d}/seed-{seed}"

    @property
    def test_accuracy(self) -> float:
        """Of all test questions, those that cannot be answered included."""
        return float(self.metrics["accuracy_overall"])

    @property
    def rank(self) -> tuple[float, float, int]:
        """By which the best seed is chosen: validation accuracy, then its loss.

        Where both are equal it is the lowest seed: the test decides nothing.
        """
        accuracy, loss = (self.metrics[f"validation_{n}"] for n in ("accuracy", "loss"))
        # A training that diverged ranks last of its equals; NaN would have no order.
        return accuracy, -math.inf if math.isnan(loss) else -loss, -self.key[2]


def used_options(training: Mapping[str, Any]) -> dict[str, Any]:
    """The options of a training but for those that are None, False or 0.

    These count as not used, as does one that an earlier version did not have, unless
    it is in `FIXED_BEFORE`.
    """
    options = {**FIXED_BEFORE, **training}
    return {name: value for name, value in options.items() if value}


def options_that_differ(was: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """Names of the options in which two trainings differ; see `used_options`."""
    first, second = used_options(was), used_options(now)
    names = dict.fromkeys([*was, *now])
    return [name for name in names if first.get(name) != second.get(name)]


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
    return unique_cells(each_cell(Path(path)))


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
    model, task, seed, dropped = cell.key
    return task, model, dropped, seed


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
    # The hashes of the data stay out: they would be most of a line.
    data = config["data"]
    described = {"training": config["training"], "data": data.get("kind")}
    if data.get("limit") is not None:
        described["limit"] = data["limit"]
    return BabiCell({**metrics, **described}, str(folder / "metrics.json"), folder)


def _read_line(path: Path, number: int, line: str) -> BabiCell:
    where = f"{path}:{number}"
    try:
        content = json.loads(line)
    except json.JSONDecodeError as error:
        raise ValueError(f"{where}: must be JSON. Received: {error}") from error
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
