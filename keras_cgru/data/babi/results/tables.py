"""The paper's bAbI tables from finished cells, beside the paper's own figures."""

from __future__ import annotations

import statistics
from collections.abc import Collection, Mapping, Sequence

from keras_cgru.data.babi.results.cell import BabiCell
from keras_cgru.data.babi.results.paper import (
    PAPER_TITLES,
    TABLE_1,
    TABLE_4,
    TASK_NAMES,
    PaperRow,
)
from keras_cgru.data.babi.results.task_result import (
    PASSED,
    BabiTaskResult,
    check_alike,
    perturbed_cells,
    place,
    results_by_model,
    title,
)
from keras_cgru.data.official import SIMULATED
from keras_cgru.evaluation.markdown import span, table

ALL_TASKS = range(1, 21)
NOTES = (
    "Test accuracy. maximum: of the seed that validated best; failed: tasks whose "
    f"maximum is below {PASSED}; minutes: of training, all these tasks once."
)
Results = Mapping[str, Mapping[int, BabiTaskResult]]


def markdown_tables(cells: Sequence[BabiCell]) -> str:
    """Tables 1 and 4 of the paper, and the left of its Figure 2, in Markdown.

    The paper's figures stand beside ours only where ours are of the official stories,
    of all questions, and its averages only where ours are of all 20 tasks, too.

    Raises:
        ValueError: Cells that no table may hold together; see `check_alike`.
    """
    if not cells:
        return "No cell is finished."
    check_alike(cells)
    official = not cells[0].caution
    parts = [*_cautions(cells[0]), _settings(cells)]
    if results := results_by_model(cells):
        parts += [*summary_tables(results, official), task_table(results, official)]
    if any(perturbed_cells(cells)):
        parts.append(perturbation_table(cells))
    return "\n\n".join(parts)


def _cautions(cell: BabiCell) -> list[str]:
    said = []
    if cell.data == SIMULATED:
        said.append("These figures are of SIMULATED stories, not of bAbI's own.")
    elif cell.data != "babi":
        version = cell.data.removeprefix("babi-")
        said.append(f"These figures are of {version} files, NOT of bAbI's official 1K.")
    if cell.limit is not None:
        said.append(f"These figures are of {cell.limit} QUESTIONS of each split alone.")
    return said


def summary_tables(results: Results, official: bool = True) -> list[str]:
    """A row a model: average, maximum by validation, failed tasks, parameters.

    Averages of all 20 tasks do not compare with those of fewer: two tables.

    Args:
        results: What the models reached.
        official: Whether on the official stories, that is beside the paper's figures.
    """
    complete = {m: r for m, r in results.items() if list(r) == list(ALL_TASKS)}
    partial = {m: r for m, r in results.items() if m not in complete}
    tables = []
    if complete:
        tables.append(_summary_table(complete, TABLE_1 if official else {}))
    if partial:
        tables.append(_summary_table(partial, {}))
    return [*tables, NOTES]


def _summary_table(results: Results, paper: Mapping[str, PaperRow]) -> str:
    head = ["model", "tasks", "seeds", "average", "maximum", "failed", "parameters"]
    head.append("minutes a seed")
    rows: list[list[object]] = []
    for model, reached in results.items():
        row = [title(model), _tasks(reached), *_summary(reached.values())]
        rows.append([*row, *_published(paper[model])] if model in paper else row)
    if paper:
        # The best that the paper compares with; these were never trained here.
        for model, name in PAPER_TITLES.items():
            rows.append([name, *[""] * (len(head) - 1), *_published(paper[model])])
        head += [f"paper: {name}" for name in ("average", "maximum", "failed")]
    return table(head, [[*row, *[""] * (len(head) - len(row))] for row in rows])


def task_table(results: Results, official: bool = True) -> str:
    """A row a task: each model's seeds, average and maximum, and the paper's maxima.

    Args:
        results: What the models reached.
        official: Whether on the official stories, that is beside the paper's figures.
    """
    tasks = sorted({task for reached in results.values() for task in reached})
    papers = [m for m in TABLE_4 if m == "qrn" or m in results] if official else []
    head = ["task"]
    for model in results:
        head += [f"{title(model)}: seeds", "average", "maximum"]
    head += [f"paper: {PAPER_TITLES.get(m, title(m))}" for m in papers]
    rows = [
        [f"{task}: {TASK_NAMES[task - 1]}"]
        + [part for reached in results.values() for part in _result(reached.get(task))]
        + [_number(TABLE_4[model][task - 1]) for model in papers]
        for task in tasks
    ]
    average: list[object] = [f"average of {len(tasks)}"]
    failed: list[object] = ["failed"]
    for reached in results.values():
        # Averages over other tasks would not compare.
        complete = list(reached.values()) if list(reached) == tasks else []
        average += ["", *_averages(complete)]
        failed += ["", "", sum(r.failed for r in complete) if complete else ""]
    for name in papers:
        maxima = [TABLE_4[name][task - 1] for task in tasks]
        average.append(_number(statistics.fmean(maxima)))
        failed.append(sum(maximum < PASSED for maximum in maxima))
    return table(head, [*rows, average, failed])


def perturbation_table(cells: Sequence[BabiCell]) -> str:
    """A row for each task, model and share of dropped mentions."""
    head = ["task", "model", "dropped mentions", "seeds", "average", "maximum"]
    rows = [
        [task, title(model), f"{share:g}", *_result(BabiTaskResult.of(group))]
        for task, models in perturbed_cells(cells).items()
        for model, shares in models.items()
        for share, group in shares.items()
    ]
    return table(head, rows)


def _settings(cells: Sequence[BabiCell]) -> str:
    """How the models were trained: a line, or one a model where they differ."""
    lines: dict[str, str] = {}
    for cell in sorted(cells, key=lambda cell: place(cell.model)):
        training = cell.training
        # None is "each model's own".
        values = [f"{k} {v}" for k, v in training.items() if v is not None]
        lines[title(cell.model)] = ", ".join(values)
    if len(set(lines.values())) == 1:
        return f"Trained with {min(lines.values())}."
    return "\n\n".join(f"{name}: trained with {line}." for name, line in lines.items())


def _summary(results: Collection[BabiTaskResult]) -> list[object]:
    return [
        span(result.seeds for result in results),
        *_averages(results),
        sum(result.failed for result in results),
        span(result.parameters for result in results),
        f"{sum(result.seconds for result in results) / 60:.1f}",
    ]


def _averages(results: Collection[BabiTaskResult]) -> list[str]:
    if not results:
        return ["", ""]
    return [
        _number(statistics.fmean(result.average for result in results)),
        _number(statistics.fmean(result.maximum for result in results)),
    ]


def _result(result: BabiTaskResult | None) -> list[object]:
    if result is None:
        return [""] * 3
    return [result.seeds, _number(result.average), _number(result.maximum)]


def _published(row: PaperRow) -> list[object]:
    return [_number(row.average), _number(row.maximum), row.failed]


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"


def _tasks(tasks: Collection[int]) -> str:
    if list(tasks) == list(ALL_TASKS):
        return "all 20"
    return ", ".join(map(str, tasks))
