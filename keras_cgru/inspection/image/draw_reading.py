"""Puts the parts of a picture under each other."""

from __future__ import annotations

from matplotlib.figure import Figure

from keras_cgru.inspection.carried import carried
from keras_cgru.inspection.image.canvas import GREY, MARGIN, Canvas
from keras_cgru.inspection.image.columns import lines_of_words
from keras_cgru.inspection.image.draw_answers import draw_answers, draw_legend
from keras_cgru.inspection.image.draw_passage import draw_passage
from keras_cgru.inspection.image.fonts import SMALL, TITLE, WORDS, drawable, fit
from keras_cgru.inspection.palette import looks
from keras_cgru.inspection.reading import Reading
from keras_cgru.inspection.window import window_around_answer
from keras_cgru.inspection.wording import details, heading, verdict


def draw(reading: Reading, width: int, max_tokens: int | None) -> Figure:
    """Draws a whole reading; see `as_image`."""
    canvas = Canvas(width)
    known, marks = looks(reading), carried(reading)
    window = window_around_answer(reading, max_tokens)
    _draw_head(canvas, reading)
    draw_passage(canvas, "Document", reading.document, window, known, marks)
    query = reading.query
    if query.tokens:
        draw_passage(canvas, "Query", query, (0, len(query.tokens)), known, [])
    draw_answers(canvas, reading)
    draw_legend(canvas, reading)
    return canvas.figure()


def _draw_head(canvas: Canvas, reading: Reading) -> None:
    room = canvas.right - MARGIN
    title = fit(drawable(heading(reading)), room, TITLE, bold=True)
    canvas.text(MARGIN, canvas.y + 14, title, TITLE, bold=True)
    canvas.y += 24
    labels = [drawable(label) for label in details(reading)]
    for line in lines_of_words(labels, room, SMALL, between="   ·   "):
        canvas.text(MARGIN, canvas.y + 11, line, SMALL, color=GREY)
        canvas.y += 16
    for line in lines_of_words(drawable(verdict(reading)).split(), room):
        canvas.text(MARGIN, canvas.y + 15, line, WORDS)
        canvas.y += 20
    canvas.y += 8
