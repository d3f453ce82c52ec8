"""A reading as text: tokens with their clusters, answers, and alpha."""

from __future__ import annotations

import io
from collections.abc import Mapping

from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.text import Text

from keras_cgru.inspection.carried import Carried, carried
from keras_cgru.inspection.palette import Look, looks
from keras_cgru.inspection.passage import Passage
from keras_cgru.inspection.reading import Reading
from keras_cgru.inspection.text.glyphs import ASCII, UNICODE, Glyphs
from keras_cgru.inspection.text.tables import alpha_rows, alpha_table, answer_table
from keras_cgru.inspection.text.tokens import marked_tokens, wrap
from keras_cgru.inspection.window import window_around_answer
from keras_cgru.inspection.wording import (
    count,
    details,
    heading,
    num_hidden_answers,
    verdict,
)

MIN_WIDTH = 20


def as_text(
    reading: Reading,
    width: int = 88,
    color: bool = False,
    ascii: bool = False,
    max_tokens: int | None = 1000,
    max_rows: int | None = 24,
) -> str:
    """Writes a reading for a terminal or a log.

    Mentions stand in brackets with their cluster's number, `[she]1`, so nothing is lost
    without colours. What a mention carried of the answer's probability follows it,
    `[mary]1=62%`. Below alpha stands for each linked token, layer and direction;
    beside it, as a row of small bars, 1 - alpha: the higher, the more the reader took
    from the mention before. Controls in tokens are written as escapes.

    Args:
        reading: What to show.
        width: Columns of the terminal, at least 20.
        color: Whether to colour the chains, by ANSI escapes for 256 colours.
        ascii: Whether to write ASCII alone.
        max_tokens: A longer document is cut around its answer; None shows it whole.
        max_rows: At most so many linked tokens have a row, those with the lowest alpha;
            None shows all.

    Returns:
        Lines with an end each.

    Raises:
        ValueError: `width`, `max_tokens` or `max_rows` is too small.
    """
    if width < MIN_WIDTH:
        raise ValueError(f"`width` must be at least {MIN_WIDTH}. Received: {width}")
    if max_rows is not None and max_rows < 0:
        raise ValueError(f"`max_rows` must be 0 or more. Received: {max_rows}")
    glyphs = ASCII if ascii else UNICODE
    known, marks = looks(reading), carried(reading)
    window = window_around_answer(reading, max_tokens)
    document, query = reading.document, reading.query
    parts = _head(reading, glyphs)
    parts += _tokens("Document", document, window, known, marks, glyphs, width)
    if query.tokens:
        whole = (0, len(query.tokens))
        parts += _tokens("Query", query, whole, known, [], glyphs, width)
    parts += _answers(reading, marks, glyphs)
    parts += _alpha("document", document, window, known, glyphs, max_rows)
    parts += _alpha("query", query, (0, len(query.tokens)), known, glyphs, max_rows)
    return _render(parts, width, color)


def _head(reading: Reading, glyphs: Glyphs) -> list[RenderableType]:
    lines = [Text(heading(reading, glyphs.ascii), "bold")]
    lines += map(Text, filter(None, ["; ".join(details(reading, glyphs.ascii))]))
    sentence = verdict(reading, glyphs.ascii)
    return [*lines, *([Text(sentence)] if sentence else []), Text()]


def _tokens(
    name: str,
    passage: Passage,
    window: tuple[int, int],
    known: Mapping[int, Look],
    marks: list[Carried],
    glyphs: Glyphs,
    width: int,
) -> list[RenderableType]:
    start, end = window
    length = len(passage.tokens)
    lines = wrap(marked_tokens(passage, window, known, marks, glyphs), width)
    before, after = (
        [Text(f"  {glyphs.dots} {count(number, 'token')} {where}", "italic")]
        if number
        else []
        for number, where in ((start, "before"), (length - end, "after"))
    )
    return [
        Text(f"{name} ({count(length, 'token')})", "bold"),
        *(*before, *lines, *after),
        Text(),
    ]


def _answers(
    reading: Reading, marks: list[Carried], glyphs: Glyphs
) -> list[RenderableType]:
    if not reading.answers:
        return []
    hidden = num_hidden_answers(reading)
    more = [Text(f"  {glyphs.dots} {count(hidden, 'more answer')}")] if hidden else []
    table = Padding(answer_table(reading, marks, glyphs), (0, 0, 0, 2))
    return [Text("Answers", "bold"), table, *more, Text()]


def _alpha(
    name: str,
    passage: Passage,
    window: tuple[int, int],
    known: Mapping[int, Look],
    glyphs: Glyphs,
    max_rows: int | None,
) -> list[RenderableType]:
    first, last = window
    linked = sum(first <= place < last for place in passage.linked)
    if not linked:
        return []
    rows = alpha_rows(passage, window, linked if max_rows is None else max_rows)
    title = Text(
        f"{glyphs.alpha} on the {name}'s {count(linked, 'linked token')}", "bold"
    )
    if len(rows) < linked:
        title.append(f", the lowest {len(rows)}")
    meaning = Text(
        f"  1: all from the word before; 0: all from the mention before; "
        f"link: 1 - {glyphs.alpha}"
    )
    table = alpha_table(passage, rows, known, glyphs)
    return [title, meaning, Padding(table, (0, 0, 0, 2)), Text()]


def _render(parts: list[RenderableType], width: int, color: bool) -> str:
    file = io.StringIO()
    console = Console(
        file=file,
        width=width,
        force_terminal=color,
        no_color=not color,
        color_system="256" if color else None,
        highlight=False,
        markup=False,
        emoji=False,
        legacy_windows=False,
        # What the user's environment says of colours and width has been asked before.
        _environ={},
    )
    for part in parts:
        console.print(part, overflow="fold")
    lines = file.getvalue().rstrip().split("\n")
    return "".join(f"{line.rstrip()}\n" for line in lines)
