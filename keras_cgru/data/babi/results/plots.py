"""The plots of the paper's Figure 2, for bAbI, as SVG."""

from __future__ import annotations

import math
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
from keras_cgru.files import atomic_write

try:
    from matplotlib import rc_context
    from matplotlib.figure import Figure
except ImportError as error:
    _missing: ImportError | None = error
else:
    _missing = None

# For each model, task and seed: updates, and exp(-cross-entropy) after them.
Curves = Mapping[tuple[str, int, int], Sequence[tuple[int, float]]]
COLUMNS = 4
# Text stays text, and the same plot is the same file.
STYLE: dict[Any, Any] = {"svg.fonttype": "none", "svg.hashsalt": "keras_cgru"}


def require_matplotlib() -> None:
    """Raise `ImportError` with the line to type when `matplotlib` is not there."""
    if _missing is not None:
        raise ImportError(
            'Plots need the `matplotlib` package: pip install "keras-cgru[recipes]"'
        ) from _missing


def plot_dropped_mentions(
    path: str | os.PathLike[str], cells: Sequence[BabiCell]
) -> bool:
    """Test accuracy against the share of dropped mentions (Figure 2, left).

    A panel a task, a line a model through the means over its seeds, a dot a seed;
    random links are a level.

    Args:
        path: The SVG file.
        cells: Finished cells; those without dropped mentions or random links of their
            task are left out.

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
    _save(path, figure, panels.values(), "; ".join(cautions))
    return True


def plot_curves(
    path: str | os.PathLike[str], curves: Curves, caution: str = ""
) -> bool:
    """Probability of the right answer as training goes on (Figure 2, right).

    A panel a task, a colour a model, a line a seed: trainings stop at different
    updates, so that a mean over seeds would leap where one ends.

    Args:
        path: The SVG file.
        curves: For each model, task and seed the points of its line.
        caution: What the plot must say of the stories; see `BabiCell.caution`.

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
        panels[task].plot(
            [updates for updates, _ in points],
            [probability for _, probability in points],
            color=_color(model),
            linewidth=1,
            alpha=0.8,
            label=title(model) if first else None,
        )
    _save(path, figure, panels.values(), caution)
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


def _panels(tasks: Collection[int], x: str, y: str) -> tuple[Figure, dict[int, Any]]:
    columns = min(COLUMNS, len(tasks))
    rows = math.ceil(len(tasks) / columns)
    figure = Figure(figsize=(3.2 * columns + 0.6, 2.6 * rows + 0.6))
    figure.set_layout_engine("constrained")
    grid = figure.subplots(rows, columns, squeeze=False, sharey=True).flatten()
    for panel in grid[len(tasks) :]:
        panel.remove()
    panels = dict(zip(tasks, grid, strict=False))
    for task, panel in panels.items():
        panel.set_title(f"{task}: {TASK_NAMES[task - 1]}", fontsize="medium")
        panel.set_ylim(0, 1.03)
        panel.grid(alpha=0.3)
    figure.supxlabel(x)
    figure.supylabel(y)
    return figure, panels


def _save(
    path: str | os.PathLike[str],
    figure: Figure,
    panels: Collection[Any],
    caution: str,
) -> None:
    """Writes the figure under one legend for all panels."""
    handles = {
        label: handle
        for panel in panels
        for handle, label in zip(*panel.get_legend_handles_labels(), strict=True)
    }
    figure.legend(
        list(handles.values()), list(handles), loc="outside upper left", ncols=3
    )
    if caution:
        figure.suptitle(caution, x=0.99, ha="right", fontsize="medium")
    with rc_context(STYLE), atomic_write(path) as file:
        figure.savefig(file, format="svg", metadata={"Date": None, "Creator": None})


def _color(model: str) -> str:
    """A model has the same colour in every plot."""
    return f"C{list(TITLES).index(model) if model in TITLES else len(TITLES)}"
