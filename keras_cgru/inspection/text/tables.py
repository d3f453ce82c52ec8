"""The answers and the weights alpha as small tables."""

from __future__ import annotations

from collections.abc import Mapping
from statistics import fmean

from rich.table import Table
from rich.text import Text

from keras_cgru.inspection.carried import Carried
from keras_cgru.inspection.palette import Look
from keras_cgru.inspection.passage import Passage
from keras_cgru.inspection.reading import Reading
from keras_cgru.inspection.text.glyphs import Glyphs, spark
from keras_cgru.inspection.text.tokens import mention_style
from keras_cgru.inspection.visible import columns, visible, visible_line
from keras_cgru.inspection.wording import percent, shown_answers

_BAR = 16
_MAX_TOKEN = 20


def answer_table(reading: Reading, marks: list[Carried], glyphs: Glyphs) -> Table:
    """Name, probability, a bar, what it is, and which mentions carried it."""
    table = _table()
    table.add_column(justify="right", no_wrap=True)
    table.add_column(no_wrap=True)
    for _ in range(3):
        table.add_column(overflow="fold")
    for answer, notes in shown_answers(reading):
        bar = glyphs.bar * round(_BAR * answer.probability)
        places = [
            f"{percent(mark.probability)} at {mark.start}"
            for mark in marks
            if mark.start in answer.positions
        ]
        table.add_row(
            percent(answer.probability),
            f"{bar:{_BAR}}",
            Text(
                visible_line(answer.text, glyphs.ascii),
                "bold" if answer is reading.predicted else "",
            ),
            notes,
            "; ".join(places),
        )
    return table


def alpha_rows(passage: Passage, window: tuple[int, int], most: int) -> list[int]:
    """The linked tokens of the window with the lowest mean alpha, in their order."""
    first, last = window
    linked = [place for place in passage.linked if first <= place < last]
    linked.sort(key=lambda place: fmean(_known_weights(passage, place)))
    return sorted(linked[:most])


def alpha_table(
    passage: Passage,
    rows: list[int],
    known: Mapping[int, Look],
    glyphs: Glyphs,
) -> Table:
    """One row a linked token, one column a pass, and 1 - alpha drawn small."""
    table = _table(header=True)
    table.add_column("at", justify="right", overflow="fold")
    table.add_column("token", overflow="fold")
    table.add_column("cluster", justify="right", overflow="fold")
    for layer, direction in passage.alpha:
        name = f"{visible_line(layer, glyphs.ascii)}{glyphs.arrows[direction]}"
        table.add_column(name, justify="right", overflow="fold")
    table.add_column("link", overflow="fold")
    for place in rows:
        weights = [each[place] for each in passage.alpha.values()]
        ids = passage.clusters[place]
        links = [None if weight is None else 1 - weight for weight in weights]
        table.add_row(
            str(place),
            Text(_short(passage.tokens[place], glyphs), mention_style(ids, known)),
            ",".join(map(str, ids)),
            *("" if weight is None else f"{weight:.2f}" for weight in weights),
            f"|{spark(links, glyphs)}|",
        )
    return table


def _known_weights(passage: Passage, place: int) -> list[float]:
    weights = (each[place] for each in passage.alpha.values())
    return [weight for weight in weights if weight is not None]


def _short(token: str, glyphs: Glyphs) -> str:
    shown = visible(token, glyphs.ascii)
    if columns(shown) <= _MAX_TOKEN:
        return shown
    while columns(shown) + len(glyphs.dots) > _MAX_TOKEN:
        shown = shown[:-1]
    return shown + glyphs.dots


def _table(header: bool = False) -> Table:
    return Table(
        box=None, show_header=header, padding=(0, 2, 0, 0), header_style="bold"
    )
