"""Draws the answers with their probabilities, and what the signs mean."""

from __future__ import annotations

from keras_cgru.inspection.image.canvas import GREY, MARGIN, Canvas
from keras_cgru.inspection.image.columns import lines_of_words
from keras_cgru.inspection.image.draw_passage import ARROWS
from keras_cgru.inspection.image.fonts import SMALL, WORDS, drawable, fit, width_of
from keras_cgru.inspection.reading import Reading
from keras_cgru.inspection.visible import visible_line
from keras_cgru.inspection.wording import (
    count,
    num_hidden_answers,
    percent,
    shown_answers,
)

_ROW = 19.0


def draw_answers(canvas: Canvas, reading: Reading) -> None:
    """A bar for each of the best answers and for the right one."""
    if not reading.answers:
        return
    canvas.text(MARGIN, canvas.y + 12, "Answers", SMALL + 1, bold=True, color=GREY)
    canvas.y += 20
    full = min(220.0, canvas.width / 4)
    for answer, notes in shown_answers(reading):
        bold = answer is reading.predicted
        share = percent(answer.probability)
        x, baseline = MARGIN + 52, canvas.y + 13
        canvas.text(x - 8, baseline, share, WORDS, bold, align="right")
        canvas.bar(x, canvas.y + 2, full, _ROW - 6, "#EEEEEE")
        canvas.bar(x, canvas.y + 2, full * answer.probability, _ROW - 6, "#444444")
        x += full + 10
        room = canvas.right - x - width_of(notes, SMALL + 1) - 12
        name = fit(drawable(visible_line(answer.text)), room, WORDS, bold)
        canvas.text(x, baseline, name, WORDS, bold)
        x += width_of(name, WORDS, bold) + 12
        canvas.text(x, baseline, notes, SMALL + 1, color=GREY)
        canvas.y += _ROW
    hidden = num_hidden_answers(reading)
    if hidden:
        text = f"… {count(hidden, 'more answer')}"
        canvas.text(MARGIN + 52, canvas.y + 11, text, SMALL, color=GREY)
        canvas.y += 18
    canvas.y += 6


def draw_legend(canvas: Canvas, reading: Reading) -> None:
    """Says what boxes, frames and bars are, where there are any."""
    lines = ["Same colour and number: the same entity."]
    if any(reading.document.attention):
        lines.append(
            "Frame and percentage: what a mention carried of the answers' probability; "
            "solid for the predicted answer."
        )
    passes = {**reading.document.alpha, **reading.query.alpha}
    if passes:
        layers = ", ".join(
            drawable(visible_line(each)) for each in dict.fromkeys(k[0] for k in passes)
        )
        lines.append(
            "Bars: how much a token took from the mention before in its chain and not "
            f"from the word before, 1 - α. One bar a layer: {layers}; "
            f"{ARROWS['forward']} read forward, {ARROWS['backward']} backward."
        )
    for text in lines:
        words = text.split(" ")
        for line in lines_of_words(words, canvas.right - MARGIN, SMALL):
            canvas.text(MARGIN, canvas.y + 11, line, SMALL, color=GREY)
            canvas.y += 15
