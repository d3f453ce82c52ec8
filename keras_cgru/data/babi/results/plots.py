"""The plots of the paper's Figure 2, for bAbI."""

from __future__ import annotations

import os
import statistics
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from keras_cgru.data.babi.results.cell import BabiCell
from keras_cgru.data.babi.results.paper import TASK_NAMES
from keras_cgru.data.babi.results.task_result import (
    RANDOM_MODEL,
    TITLES,
    perturbed_cells,
    place,
    title,
)
from keras_cgru.evaluation.figures import (
    draw_curve,
    make_panels,
    require_matplotlib,
    save_figure,
)

# For each model, task and seed: updates, and exp(-cross-entropy) after them.
Curves = Mapping[tuple[str, int, int], Sequence[tuple[int, float]]]


def plot_dropped_mentions(
    path: str | os.PathLike[str],
    cells: Sequence[BabiCell],
    formats: Sequence[str] = ("svg",),
) -> bool:
    """Test accuracy against the share of dropped mentions (Figure 2, left).

    A panel a task, a line a model through the means over its seeds, a dot a seed;
    random links are a level.

    Args:
        path: The file; each format has its own suffix.
        cells: Finished cells; those without dropped mentions or random links of their
            task are left out.
        formats: What to write; see `save_figure`.

    Returns:
        Whether there was anything to draw.

    Raises:
        ImportError: `matplotlib` is not installed.
    """
    require_matplotlib()
    tasks = perturbed_cells(cells)
    if not tasks:
        return False
    figure, panels = _panels(tasks, "share of dropped mentions", "test accuracy")
    for task, models in tasks.items():
        for model, shares in models.items():
            _draw_shares(panels[task], model, shares)
    cautions = dict.fromkeys(cell.caution for cell in cells if cell.caution)
    save_figure(path, figure, panels.values(), "; ".join(cautions), formats)
    return True


def plot_curves(
    path: str | os.PathLike[str],
    curves: Curves,
    caution: str = "",
    formats: Sequence[str] = ("svg",),
) -> bool:
    """Probability of the right answer as training goes on (Figure 2, right).

    A panel a task, a colour a model, a line a seed: trainings stop at different
    updates, so that a mean over seeds would leap where one ends.

    Args:
        path: The file; each format has its own suffix.
        curves: For each model, task and seed the points of its line.
        caution: What the plot must say of the stories; see `BabiCell.caution`.
        formats: What to write; see `save_figure`.

    Returns:
        Whether there was anything to draw.

    Raises:
        ImportError: `matplotlib` is not installed.
    """
    require_matplotlib()
    if not curves:
        return False
    tasks = sorted({task for _, task, _ in curves})
    figure, panels = _panels(tasks, "updates", "exp(-validation cross-entropy)")
    labelled: set[tuple[str, int]] = set()
    for model, task, seed in sorted(curves, key=lambda k: (place(k[0]), *k[1:])):
        points = curves[model, task, seed]
        first = (model, task) not in labelled
        labelled.add((model, task))
        label = title(model) if first else None
        draw_curve(panels[task], points, _color(model), label)
    save_figure(path, figure, panels.values(), caution, formats)
    return True


def _draw_shares(
    panel: Any, model: str, shares: Mapping[float, Sequence[BabiCell]]
) -> None:
    means = {
        share: statistics.fmean(cell.test_accuracy for cell in group)
        for share, group in shares.items()
    }
    color, name = _color(model), title(model)
    if model == RANDOM_MODEL and len(means) == 1:
        panel.axhline(*means.values(), color=color, linestyle="--", label=name)
        return
    panel.plot(list(means), list(means.values()), color=color, marker="o", label=name)
    dots = [(s, cell.test_accuracy) for s, group in shares.items() for cell in group]
    panel.plot(*zip(*dots, strict=True), ".", color=color, alpha=0.4)


def _panels(tasks: Collection[int], x: str, y: str) -> tuple[Any, dict[int, Any]]:
    titles = [f"{task}: {TASK_NAMES[task - 1]}" for task in tasks]
    figure, panels = make_panels(titles, x, y)
    return figure, dict(zip(tasks, panels, strict=True))


def _color(model: str) -> str:
    """A model has the same colour in every plot."""
    return f"C{list(TITLES).index(model) if model in TITLES else len(TITLES)}"
