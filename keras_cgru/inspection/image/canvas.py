"""A figure of which every unit is a pixel, filled from the top down."""

from __future__ import annotations

from typing import Any

from matplotlib.collections import PatchCollection
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from keras_cgru.inspection.image.fonts import DPI, WORDS, properties

INK, GREY, PALE = "#000000", "#555555", "#D0D0D0"
MARGIN = 14.0


class Canvas:
    """Collects what is drawn, and makes a figure of the height that it took.

    Args:
        width: Pixels.

    Attributes:
        y: How far down the next thing begins.
    """

    def __init__(self, width: int) -> None:
        self.width = width
        self.y = MARGIN
        self._texts: list[tuple[float, float, str, dict[str, Any]]] = []
        self._boxes: list[Rectangle] = []
        self._bars: dict[str, list[Rectangle]] = {}

    @property
    def right(self) -> float:
        """Where the margin on the right begins."""
        return self.width - MARGIN

    def text(
        self,
        x: float,
        baseline: float,
        text: str,
        size: float = WORDS,
        bold: bool = False,
        color: str = INK,
        align: str = "left",
    ) -> None:
        """Writes a line, whatever it holds: a dollar sign starts no formula."""
        options = {
            "fontproperties": properties(size, bold),
            "color": color,
            "ha": align,
            "va": "baseline",
            "parse_math": False,
        }
        self._texts.append((x, baseline, text, options))

    def box(
        self, x: float, y: float, width: float, height: float, **options: Any
    ) -> None:
        """Draws a rectangle with an upper left corner; options are matplotlib's."""
        options = {"linewidth": 0, "clip_on": False, **options}
        self._boxes.append(Rectangle((x, y), width, height, **options))

    def bar(self, x: float, y: float, width: float, height: float, color: str) -> None:
        """Draws one of very many plain rectangles."""
        bars = self._bars.setdefault(color, [])
        bars.append(Rectangle((x, y), width, height))

    def figure(self) -> Figure:
        """All that was drawn, on white."""
        height = round(self.y + MARGIN)
        figure = Figure(figsize=(self.width / DPI, height / DPI), dpi=DPI)
        figure.set_facecolor("white")
        axes = figure.add_axes((0, 0, 1, 1))
        axes.set_axis_off()
        axes.set_xlim(0, self.width)
        axes.set_ylim(height, 0)
        for box in self._boxes:
            axes.add_patch(box)
        for color, bars in self._bars.items():
            axes.add_collection(
                PatchCollection(bars, facecolor=color, linewidth=0, clip_on=False),
                autolim=False,
            )
        for x, y, text, options in self._texts:
            axes.text(x, y, text, **options)
        return figure
