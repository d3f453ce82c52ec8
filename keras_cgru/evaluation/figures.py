"""Panels of curves under one legend, as SVG, PNG and PDF."""

from __future__ import annotations

import math
import os
import textwrap
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

from keras_cgru.files import atomic_write

try:
    from matplotlib import rc_context
    from matplotlib.figure import Figure
except ImportError as error:
    _missing: ImportError | None = error
else:
    _missing = None

COLUMNS = 4
# Text stays text, and the same plot is the same file.
_STYLE: dict[Any, Any] = {"svg.fonttype": "none", "svg.hashsalt": "keras_cgru"}
# What each format would say of its making, the time among it.
_UNSAID: dict[str, dict[str, None]] = {
    "svg": {"Date": None, "Creator": None},
    "png": {"Software": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}
FORMATS = tuple(_UNSAID)
_DOTS_AN_INCH = 150
_CHARACTERS_AN_INCH = 9


def require_matplotlib() -> None:
    """Raise `ImportError` with the line to type when `matplotlib` is not there."""
    if _missing is not None:
        raise ImportError(
            'Plots need the `matplotlib` package: pip install "keras-cgru[recipes]"'
        ) from _missing


def make_panels(titles: Sequence[str], x: str, y: str = "") -> tuple[Figure, list[Any]]:
    """A figure with a panel a title, all from 0 to 1.

    Args:
        titles: What stands above each.
        x, y: What stands beside the axes.

    Raises:
        ImportError: `matplotlib` is not installed.
    """
    require_matplotlib()
    columns = min(COLUMNS, len(titles))
    rows = math.ceil(len(titles) / columns)
    figure = Figure(figsize=(3.2 * columns + 0.6, 2.6 * rows + 0.6))
    figure.set_layout_engine("constrained")
    grid = figure.subplots(rows, columns, squeeze=False, sharey=True).flatten()
    for panel in grid[len(titles) :]:
        panel.remove()
    panels = list(grid[: len(titles)])
    for title, panel in zip(titles, panels, strict=True):
        panel.set_title(title, fontsize="medium")
        panel.set_ylim(0, 1.03)
        panel.grid(alpha=0.3)
    figure.supxlabel(x)
    figure.supylabel(y)
    return figure, panels


def draw_curve(
    panel: Any,
    points: Sequence[tuple[float, float]],
    color: str,
    label: str | None = None,
) -> None:
    """A thin line through points; one point alone, which no line shows, is a mark."""
    panel.plot(
        [x for x, _ in points],
        [y for _, y in points],
        color=color,
        linewidth=1,
        marker="o" if len(points) == 1 else None,
        markersize=4,
        alpha=0.8,
        label=label,
    )


def save_figure(
    path: str | os.PathLike[str],
    figure: Figure,
    panels: Collection[Any],
    caution: str = "",
    formats: Sequence[str] = (),
) -> list[Path]:
    """Writes a figure under one legend for all panels.

    Args:
        path: The file.
        figure, panels: What `make_panels` gave, drawn.
        caution: What must be said of the figures.
        formats: Of `FORMATS`; each takes the place of the path's suffix. Without any
            the suffix says it.

    Returns:
        The files.
    """
    handles = {
        label: handle
        for panel in panels
        for handle, label in zip(*panel.get_legend_handles_labels(), strict=True)
    }
    figure.legend(
        list(handles.values()), list(handles), loc="outside upper left", ncols=3
    )
    if caution:
        # Below, where no legend is in its way.
        width = int(_CHARACTERS_AN_INCH * figure.get_figwidth())
        lines = textwrap.fill(caution, width)
        figure.supxlabel(f"{figure.get_supxlabel()}\n{lines}")
    path = Path(path)
    files = [path.with_suffix(f".{name}") for name in formats] or [path]
    for file in files:
        name = file.suffix.removeprefix(".")
        with rc_context(_STYLE), atomic_write(file) as opened:
            figure.savefig(
                opened, format=name, metadata=_UNSAID[name], dpi=_DOTS_AN_INCH
            )
    return files
