"""The cells of one model and task, summed up over their seeds."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from keras_cgru.data.babi.models import MODELS
from keras_cgru.data.babi.results.cell import BabiCell
from keras_cgru.data.babi.results.training_options import options_that_differ

# Below it a task counts as failed.
PASSED = 0.95
TITLES = {name: model.title for name, model in MODELS.items()}
# Its links are random, whatever is dropped.
(RANDOM_MODEL,) = (name for name, model in MODELS.items() if model.random_links)


@dataclass(frozen=True)
class BabiTaskResult:
    """One model on one task, over its seeds.

    Args:
        seeds: How many.
        average: Mean test accuracy.
        maximum: Test accuracy of the seed that validated best; no test figure chose
            it, so it may be below the average.
        parameters: Of the model, on this task.
        seconds: Mean wall time of a training.
    """

    seeds: int
    average: float
    maximum: float
    parameters: int
    seconds: float

    @classmethod
    def of(cls, cells: Sequence[BabiCell]) -> BabiTaskResult:
        """Sums up the cells of one model and task, one a seed."""
        return cls(
            seeds=len(cells),
            average=statistics.fmean(cell.test_accuracy for cell in cells),
            maximum=max(cells, key=lambda cell: cell.rank).test_accuracy,
            parameters=cells[0].parameters,
            seconds=statistics.fmean(cell.train_seconds for cell in cells),
        )

    @property
    def failed(self) -> bool:
        """Whether the maximum is below 0.95."""
        return self.maximum < PASSED


def title(model: str) -> str:
    """How a model is called in the tables."""
    return TITLES.get(model, model)


def results_by_model(
    cells: Sequence[BabiCell],
) -> dict[str, dict[int, BabiTaskResult]]:
    """For each model and each of its tasks what it reached with all mentions.

    Random links are no row of these tables: see `perturbed_cells`.
    """
    groups: dict[str, dict[int, list[BabiCell]]] = {}
    for cell in cells:
        if cell.dropped_mentions == 0 and cell.model != RANDOM_MODEL:
            tasks = groups.setdefault(cell.model, {})
            tasks.setdefault(cell.task, []).append(cell)
    return {
        model: {task: BabiTaskResult.of(groups[model][task]) for task in sorted(tasks)}
        for model, tasks in sorted(groups.items(), key=lambda item: place(item[0]))
    }


def perturbed_cells(
    cells: Sequence[BabiCell],
) -> dict[int, dict[str, dict[float, list[BabiCell]]]]:
    """The cells of the paper's Figure 2 (left), by task, model and dropped share.

    Only tasks and models that have a cell with dropped mentions, and the model with
    random links; all shares of these, that of 0 included.
    """
    wanted = {
        (cell.model, cell.task)
        for cell in cells
        if cell.dropped_mentions or cell.model == RANDOM_MODEL
    }
    # The models whose coreference is perturbed are as they were at a share of 0.
    tasks = {task for _, task in wanted}
    wanted |= {("ga_coref_gru", task) for task in tasks}
    groups: dict[int, dict[str, dict[float, list[BabiCell]]]] = {}

    def order(cell: BabiCell) -> tuple:
        return cell.task, place(cell.model), cell.dropped_mentions

    for cell in sorted(cells, key=order):
        if (cell.model, cell.task) in wanted:
            shares = groups.setdefault(cell.task, {}).setdefault(cell.model, {})
            shares.setdefault(cell.dropped_mentions, []).append(cell)
    return groups


def check_alike(cells: Sequence[BabiCell]) -> None:
    """Refuses cells that no table may hold together.

    Raises:
        ValueError: Some are of the official stories and others of another version or
            simulated, or of other numbers of questions, or cells of one task are of
            different unofficial files, or cells of one model were trained otherwise;
            the message names two of them.
    """
    first: dict[str, BabiCell] = {}
    first_of_task: dict[int, BabiCell] = {}
    for cell in cells:
        same_task = first_of_task.setdefault(cell.task, cell)
        for name, other in (
            ("data", cells[0]),
            ("limit", cells[0]),
            ("files", same_task),
        ):
            was, now = (c.metrics.get(name) for c in (other, cell))
            if was != now:
                raise ValueError(
                    f"{cell.source}: `{name}` must be {was} as in {other.source}. "
                    f"Received: {now}"
                )
        like = first.setdefault(cell.model, cell)
        was, now = like.training, cell.training
        for name in options_that_differ(was, now):
            raise ValueError(
                f"{cell.source}: `training.{name}` must be {was.get(name)!r} as in "
                f"{like.source}, of the same model. Received: {now.get(name)!r}"
            )


def place(model: str) -> tuple[int, str]:
    """By which models are ordered: as in the paper's table, then by name."""
    known = list(TITLES)
    return (known.index(model) if model in TITLES else len(known)), model
