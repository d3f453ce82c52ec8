"""One finished cell of the bAbI tables, and the files that hold them."""

from __future__ import annotations

import hashlib
import json
import math
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from types import NoneType
from typing import Any

from keras_cgru.data.official import SIMULATED, caution_of
from keras_cgru.files import atomic_write, parse_json, read_json, to_path
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
    # JSON has no NaN, the loss of a training that diverged.
    "validation_loss": (*_NUMBER, NoneType),
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
# How stories are called that are not the official 1K files: "babi-en-10k".
_OTHER = "babi-"
# Options of a training that earlier versions did not have, and what they did.
FIXED_BEFORE = {"word_stddev": 0.5, "share_memory": "always"}

# For each validation the updates before it, and exp(-cross-entropy of a question).
Curve = tuple[tuple[int, float], ...]


@dataclass(frozen=True)
class BabiCell:
    """What one model reached on one task with one seed.

    Args:
        metrics: All of a cell's `metrics.json`, and of its `config.json` how it was
            trained (`training`) and on what (`data`: babi, simulated, or babi-VERSION
            for files that are not the official 1K ones, with a digest of these as
            `files`; `limit`, where only so many questions of each split were used).
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
        loss = self.metrics.get("validation_loss")
        if isinstance(loss, float) and math.isnan(loss):
            # As `files.write_json` has it.
            metrics = {**self.metrics, "validation_loss": None}
            object.__setattr__(self, "metrics", metrics)
        for name, kinds in _KINDS.items():
            value = self.metrics.get(name)
            if (
                name not in self.metrics
                or not isinstance(value, kinds)
                or isinstance(value, bool)
            ):
                wanted = [kind.__name__ for kind in kinds if kind is not NoneType]
                self._refuse(name, " or ".join(wanted))
        for name, (low, high) in _RANGES.items():
            if not low <= self.metrics[name] <= high:
                self._refuse(name, f"from {low} to {high}")
        if self.data not in ("babi", SIMULATED) and not self.data.startswith(_OTHER):
            self._refuse("data", "babi, babi-VERSION or simulated")
        limit = self.metrics.get("limit")
        if limit is not None and (type(limit) is not int or limit < 1):
            self._refuse("limit", "a number from 1 on")

    def _refuse(self, name: str, wanted: str) -> None:
        value = self.metrics.get(name)
        raise ValueError(f"{self.source}: `{name}` must be {wanted}. Received: {value}")

    @property
    def model(self) -> str:
        """What was trained, by the name that recipes know it by."""
        return str(self.metrics["model"])

    @property
    def task(self) -> int:
        """Number of the task."""
        return int(self.metrics["task"])

    @property
    def seed(self) -> int:
        """Of initial weights, dropout, order and names."""
        return int(self.metrics["seed"])

    @property
    def dropped_mentions(self) -> float:
        """Share of the mentions that lost their cluster."""
        return float(self.metrics["dropped_mentions"])

    @property
    def parameters(self) -> int:
        """Of the model, on this task."""
        return int(self.metrics["parameters"])

    @property
    def validation_accuracy(self) -> float:
        """Of the weights that were kept."""
        return float(self.metrics["validation_accuracy"])

    @property
    def validation_loss(self) -> float:
        """Cross-entropy of a validation question, in nats; NaN where it diverged."""
        loss = self.metrics["validation_loss"]
        return math.nan if loss is None else float(loss)

    @property
    def updates(self) -> int:
        """How many there were in training."""
        return int(self.metrics["updates"])

    @property
    def train_seconds(self) -> float:
        """Wall time of the training."""
        return float(self.metrics["train_seconds"])

    @property
    def training(self) -> Mapping[str, Any]:
        """The options of the training, by name."""
        options: Mapping[str, Any] = self.metrics["training"]
        return options

    @property
    def data(self) -> str:
        """On what: "babi", "simulated", or "babi-en-10k" and the like."""
        return str(self.metrics["data"])

    @property
    def limit(self) -> int | None:
        """At most so many questions of each split were used; None: all."""
        limit: int | None = self.metrics.get("limit")
        return limit

    @property
    def caution(self) -> str:
        """What must be said beside its figures; nothing on all official questions."""
        return caution_of(self.data, "babi", self.limit)

    @property
    def key(self) -> tuple[str, int, int, float]:
        """Model, task, seed, share of dropped mentions."""
        return self.model, self.task, self.seed, self.dropped_mentions

    @property
    def name(self) -> str:
        """Its path below the folder of all cells."""
        share = f"-dropped-{self.dropped_mentions:g}" if self.dropped_mentions else ""
        return f"{self.model}{share}/task-{self.task:02d}/seed-{self.seed}"

    @property
    def test_accuracy(self) -> float:
        """Of all test questions, those that cannot be answered included."""
        return float(self.metrics["accuracy_overall"])

    @property
    def rank(self) -> tuple[float, float, int]:
        """By which the best seed is chosen: validation accuracy, then its loss.

        Where both are equal it is the lowest seed: the test decides nothing.
        """
        loss = self.validation_loss
        # A training that diverged ranks last of its equals; NaN would have no order.
        ordered = -math.inf if math.isnan(loss) else -loss
        return self.validation_accuracy, ordered, -self.seed


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
    if str(data.get("kind")).startswith(_OTHER):
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
