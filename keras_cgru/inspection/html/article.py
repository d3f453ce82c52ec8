"""One reading as a part of a page."""

from __future__ import annotations

from xml.etree.ElementTree import Element

from keras_cgru.inspection.carried import carried
from keras_cgru.inspection.html.elements import classes, element
from keras_cgru.inspection.html.passage import passage_element
from keras_cgru.inspection.palette import looks
from keras_cgru.inspection.reading import Reading
from keras_cgru.inspection.visible import visible_line
from keras_cgru.inspection.window import window_around_answer
from keras_cgru.inspection.wording import (
    count,
    details,
    heading,
    num_hidden_answers,
    percent,
    shown_answers,
    verdict,
)


def article(reading: Reading, number: int, max_tokens: int | None) -> Element:
    """Heading, document, query and answers.

    Args:
        reading: What to show.
        number: Its place in the page, for the anchor `#number`.
        max_tokens: A longer document is cut around its answer.
    """
    known, marks = looks(reading), carried(reading)
    window = window_around_answer(reading, max_tokens)
    query, labels, sentence = reading.query, details(reading), verdict(reading)
    outcome = {True: "right", False: "wrong", None: ""}[reading.correct]
    parts: list[Element] = [element("h2", heading(reading))]
    if labels:
        parts.append(element("p", " · ".join(labels), class_="note"))
    if sentence:
        parts.append(element("p", sentence, class_="verdict"))
    parts.append(passage_element("Document", reading.document, window, known, marks))
    if query.tokens:
        whole = (0, len(query.tokens))
        parts.append(passage_element("Query", query, whole, known, []))
    # The script says here which chain is lit.
    parts.append(element("p", "\u00a0", class_="about", aria_live="polite"))
    parts += _answers(reading)
    return element("article", *parts, id=str(number), class_=classes(outcome))


def _answers(reading: Reading) -> list[Element]:
    if not reading.answers:
        return []
    rows = [
        element(
            "tr",
            element("td", percent(answer.probability)),
            element("td", _bar(answer.probability)),
            element("td", visible_line(answer.text)),
            element("td", notes),
            class_="said" if answer is reading.predicted else None,
        )
        for answer, notes in shown_answers(reading)
    ]
    hidden = num_hidden_answers(reading)
    more = [element("p", f"… {count(hidden, 'more answer')}", class_="note")]
    return [
        element("h3", "Answers"),
        element("table", element("tbody", *rows)),
        *(more if hidden else []),
    ]


def _bar(probability: float) -> Element:
    style = f"--l:{100 * probability:.1f}%"
    return element("span", class_="bar", style=style, aria_hidden="true")
