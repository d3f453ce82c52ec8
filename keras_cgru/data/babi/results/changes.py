"""What each change of a training gives: the same cells trained otherwise."""

from __future__ import annotations

import json
import os
import statistics
from collections.abc import Iterable, Sequence
from typing import Any

from keras_cgru.data.babi.results.cell import BabiCell
from keras_cgru.data.babi.results.cell_files import each_cell, unique_cells
from keras_cgru.data.babi.results.task_result import check_alike, title
from keras_cgru.data.babi.results.training_options import (
    options_that_differ,
    used_options,
)
from keras_cgru.evaluation.markdown import span, table
from keras_cgru.files import to_path

# One model on one task, each seed as it was and as it is with the change.
Pairs = list[tuple[BabiCell, BabiCell]]


def read_changes(paths: Iterable[str | os.PathLike[str]]) -> list[list[BabiCell]]:
    """Reads finished cells, in a list for each way in which they were trained.

    Args:
        paths: Folders that `recipes/babi.py` wrote, or files of `write_cells`. Unlike
            those of `read_cells`, a file may hold a cell trained in several ways.

    Raises:
        FileNotFoundError: There is no such file or folder.
        ValueError: A file is malformed or holds no cell, or two different cells of one
            way are of the same model, task, seed and share of dropped mentions.
    """
    ways: dict[str, list[BabiCell]] = {}
    for path in map(to_path, paths):
        found = list(each_cell(path))
        if not found:
            raise ValueError(f"{path}: must hold a finished cell. Received: none")
        for cell in found:
            training = used_options(cell.training)
            way = json.dumps(training, sort_keys=True)
            ways.setdefault(way, []).append(cell)
    return [unique_cells(cells) for cells in ways.values()]


def changes_table(base: Sequence[BabiCell], changes: Sequence[list[BabiCell]]) -> str:
    """A row for each model and change, a column for each task, in Markdown.

    A field is the mean test accuracy over seeds, and how far it lies from that of the
    same seeds of `base`; the last column is the mean of these differences. The first
    row of a model is `base`, as far as something was changed.

    Args:
        base: Cells of the setting that was changed.
        changes: For each change its cells, all trained alike.

    Raises:
        ValueError: Cells of `base`, or of one change, that are not alike; a cell of a
            change that has no counterpart in `base`, or is trained as that is.
    """
    for cells in (base, *changes):
        check_alike(cells)
    rows = [
        (model, _difference(*pairs[0]), pairs)
        for cells in changes
        for model, pairs in _pairs_by_model(base, cells).items()
    ]
    tasks = sorted({was.task for _, _, pairs in rows for was, _ in pairs})
    lines: list[list[object]] = []
    for model in dict.fromkeys(model for model, _, _ in rows):
        own = unique_cells(was for n, _, ps in rows if n == model for was, _ in ps)
        lines.append([title(model), "none", *_base_fields(own, tasks), ""])
        lines += [
            [title(model), what, *_fields(pairs, tasks)]
            for name, what, pairs in rows
            if name == model
        ]
    return table(["model", "change", "seeds", *tasks, "mean difference"], lines)


def _pairs_by_model(
    base: Sequence[BabiCell], changed: Sequence[BabiCell]
) -> dict[str, Pairs]:
    counterparts = {_asked(cell): cell for cell in base}
    models: dict[str, Pairs] = {}
    for cell in changed:
        was = counterparts.get(_asked(cell))
        if was is None:
            raise ValueError(
                f"{cell.source}: must have a counterpart in the setting that was "
                f"changed, on {cell.data} stories{_limited(cell)}. "
                f"Received: {cell.name}"
            )
        models.setdefault(cell.model, []).append((was, cell))
    return models


def _asked(cell: BabiCell) -> tuple:
    """The questions, and who answers them."""
    return cell.key, cell.data, cell.limit, cell.metrics.get("files")


def _limited(cell: BabiCell) -> str:
    return "" if cell.limit is None else f", {cell.limit} questions of each split"


def _difference(base: BabiCell, changed: BabiCell) -> str:
    """As "dropout 0.1, not 0.3"."""
    was, now = base.training, changed.training
    parts = [
        f"{name} {_shown(now.get(name))}, not {_shown(was.get(name))}"
        for name in options_that_differ(was, now)
    ]
    if not parts:
        raise ValueError(
            f"{changed.source}: must be trained otherwise than {base.source}. "
            "Received: the same setting"
        )
    return "; ".join(parts)


def _shown(value: Any) -> str:
    return "none" if value is None else str(value)


def _base_fields(cells: Sequence[BabiCell], tasks: Sequence[int]) -> list[object]:
    groups = [[c.test_accuracy for c in cells if c.task == task] for task in tasks]
    means = [f"{statistics.fmean(group):.3f}" if group else "" for group in groups]
    return [span(len(group) for group in groups if group), *means]


def _fields(pairs: Pairs, tasks: Sequence[int]) -> list[object]:
    fields: list[object] = []
    counts, differences = [], []
    for task in tasks:
        group = [pair for pair in pairs if pair[0].task == task]
        if not group:
            fields.append("")
            continue
        before, after = (
            statistics.fmean(cell.test_accuracy for cell in side)
            for side in zip(*group, strict=True)
        )
        counts.append(len(group))
        differences.append(after - before)
        fields.append(f"{after:.3f} ({after - before:+.3f})")
    return [span(counts), *fields, f"{statistics.fmean(differences):+.3f}"]
