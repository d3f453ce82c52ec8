"""Draws a passage: tokens, mentions, what carried the answer, and alpha."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import zip_longest

from keras_cgru.inspection.carried import Carried
from keras_cgru.inspection.image.canvas import GREY, INK, MARGIN, PALE, Canvas
from keras_cgru.inspection.image.columns import (
    BAR,
    BAR_GAP,
    PADDING,
    Column,
    lines_of_columns,
)
from keras_cgru.inspection.image.fonts import SMALL, WORDS, width_of
from keras_cgru.inspection.palette import COLORS, Look, ink_on
from keras_cgru.inspection.passage import DIRECTIONS, Passage
from keras_cgru.inspection.wording import count

ARROWS = {"forward": "→", "backward": "←"}
HATCHES = ("", "////", "....", "xxxx")
BOX, SHARE, OUTER, STRIP, BETWEEN = 24.0, 14.0, 5.0, 15.0, 11.0
_ARROW = 16.0


def draw_passage(
    canvas: Canvas,
    name: str,
    passage: Passage,
    window: tuple[int, int],
    known: Mapping[int, Look],
    marks: Sequence[Carried],
) -> None:
    """Draws a window of a passage under its name, and says what was left out."""
    length = len(passage.tokens)
    title = f"{name}, {count(length, 'token')}"
    canvas.text(MARGIN, canvas.y + 12, title, SMALL + 1, bold=True, color=GREY)
    canvas.y += 20
    _note(canvas, window[0], "before")
    left = MARGIN + (_ARROW if passage.linked else 0)
    lines = lines_of_columns(passage, window, marks, left, canvas.right)
    for line in lines:
        _draw_line(canvas, passage, line, known, marks)
    _note(canvas, length - window[1], "after")
    canvas.y += 6


def _note(canvas: Canvas, number: int, where: str) -> None:
    if number:
        text = f"… {count(number, 'token')} {where}, not shown"
        canvas.text(MARGIN, canvas.y + 11, text, SMALL, color=GREY)
        canvas.y += 18


def _draw_line(
    canvas: Canvas,
    passage: Passage,
    line: Sequence[Column],
    known: Mapping[int, Look],
    marks: Sequence[Carried],
) -> None:
    if any(column.share for column in line):
        canvas.y += SHARE
    rows = _rows_of_outer_mentions(passage, line)
    for column, after in zip_longest(line, line[1:]):
        _draw_mention(canvas, passage, column, after, known, rows)
    for column in line:
        _draw_token(canvas, passage, column, known)
    _draw_marks(canvas, line, marks)
    canvas.y += BOX + OUTER * max(rows.values(), default=0) + 2
    linked = set(passage.linked)
    shown = [column for column in line if column.place in linked]
    if shown:
        _draw_alpha(canvas, passage, shown)
    canvas.y += BETWEEN


def _rows_of_outer_mentions(
    passage: Passage, line: Sequence[Column]
) -> dict[tuple[int, int], int]:
    """How many mentions lie within a token's mention: its row below the box.

    Keys are (position, cluster). A mention has one row all along the line.
    """
    rows: dict[tuple[int, int], int] = {}
    first, last = line[0].place, line[-1].place
    for mention in passage.mentions:
        places = range(max(mention.start, first), min(mention.end, last + 1))
        depths = [passage.clusters[p].index(mention.cluster) for p in places]
        for place in places:
            rows[place, mention.cluster] = max(depths)
    return rows


def _draw_mention(
    canvas: Canvas,
    passage: Passage,
    column: Column,
    after: Column | None,
    known: Mapping[int, Look],
    rows: Mapping[tuple[int, int], int],
) -> None:
    """The innermost mention fills the box; one around others has a line below, too."""
    ids = passage.clusters[column.place]
    for depth, cluster in enumerate(ids):
        width = column.width
        if after is not None and cluster in passage.clusters[after.place]:
            width = after.x - column.x
        look, row = known.get(cluster), rows[column.place, cluster]
        color = PALE if look is None else COLORS[look.color]
        if row:
            y = canvas.y + BOX + OUTER * (row - 1) + 2
            canvas.box(column.x, y, width, OUTER - 2, facecolor=color)
        if depth == 0 and look is None:
            canvas.box(column.x, canvas.y + BOX - 3, width, 2, facecolor=PALE)
        elif depth == 0 and look is not None:
            _fill(canvas, column.x, width, look)


def _fill(canvas: Canvas, x: float, width: float, look: Look) -> None:
    color = COLORS[look.color]
    canvas.box(x, canvas.y, width, BOX, facecolor=color)
    if look.pattern:
        # On a band of its own, where it crosses no letters.
        canvas.box(
            x,
            canvas.y + BOX - 5,
            width,
            5,
            facecolor="white",
            edgecolor=INK,
            hatch=HATCHES[look.pattern],
        )


def _draw_token(
    canvas: Canvas, passage: Passage, column: Column, known: Mapping[int, Look]
) -> None:
    ids = passage.clusters[column.place]
    look = known.get(ids[0]) if ids else None
    ink = INK if look is None else ink_on(COLORS[look.color])
    x, baseline = column.x + PADDING, canvas.y + 15
    canvas.text(x, baseline, column.token, WORDS, color=ink)
    x += width_of(column.token) + 1
    canvas.text(x, baseline + 2, column.numbers, SMALL, bold=True, color=ink)


def _draw_marks(
    canvas: Canvas, line: Sequence[Column], marks: Sequence[Carried]
) -> None:
    """A frame around what carried a share of the answer, the share above it."""
    places = {column.place: column for column in line}
    for mark in marks:
        inside = [places[p] for p in range(mark.start, mark.end) if p in places]
        if not inside:
            continue
        x, end = inside[0].x - 1, inside[-1].x + inside[-1].width + 1
        canvas.box(
            x,
            canvas.y - 1,
            end - x,
            BOX + 2,
            facecolor="none",
            edgecolor=INK if mark.predicted else GREY,
            linewidth=1.6 if mark.predicted else 0.8,
            linestyle="-" if mark.predicted else (0, (3, 2)),
        )
        share = inside[0].share
        color = INK if mark.predicted else GREY
        canvas.text(x, canvas.y - 4, share, SMALL, mark.predicted, color)


def _draw_alpha(canvas: Canvas, passage: Passage, shown: Sequence[Column]) -> None:
    """A strip a direction: under each linked token a bar a layer, 1 - alpha filled."""
    layers = list(dict.fromkeys(layer for layer, _ in passage.alpha))
    for direction in DIRECTIONS:
        if not any(each == direction for _, each in passage.alpha):
            continue
        arrow = ARROWS[direction]
        canvas.text(MARGIN, canvas.y + STRIP - 3, arrow, SMALL, color=GREY)
        for column in shown:
            for number, layer in enumerate(layers):
                weights = passage.alpha.get((layer, direction))  # type: ignore[call-overload]
                weight = None if weights is None else weights[column.place]
                if weight is not None:
                    x = column.x + number * (BAR + BAR_GAP)
                    _draw_bar(canvas, x, 1 - weight)
        canvas.y += STRIP + 2


def _draw_bar(canvas: Canvas, x: float, link: float) -> None:
    height = STRIP * link
    canvas.bar(x, canvas.y, BAR, STRIP, PALE)
    canvas.bar(x, canvas.y + STRIP - height, BAR, height, INK)
