"""Readings as one HTML page that needs nothing beside itself."""

from __future__ import annotations

import base64
import hashlib
import os
from collections.abc import Iterable, Sequence
from functools import cache
from importlib import resources
from xml.etree.ElementTree import Element

from keras_cgru.files import atomic_write
from keras_cgru.inspection.html.article import article
from keras_cgru.inspection.html.elements import element, write
from keras_cgru.inspection.html.passage import ARROWS
from keras_cgru.inspection.palette import COLORS, ink_on
from keras_cgru.inspection.reading import Reading
from keras_cgru.inspection.visible import visible_line


def as_page(
    readings: Iterable[Reading],
    title: str = "What coreference did",
    note: str = "",
    max_tokens: int | None = 2000,
) -> str:
    """Writes readings as a page of their own.

    Pointing at a mention, or reaching it by the Tab key, lights its chain; the arrow
    keys go along it. All examples or only the wrong ones can be shown. The page asks
    for nothing over the network, runs no script but its own, follows the browser's dark
    or light colours, and can be read without scripts.

    Args:
        readings: In the order in which they are to stand.
        title: The page's heading.
        note: A line below it.
        max_tokens: A longer document is cut around its answer; None shows it whole.
    """
    readings = list(readings)
    parts = [
        "<!DOCTYPE html>",
        '<html lang="en">',
        write(_head(title)),
        "<body>",
        write(_header(title, note, readings)),
        "<main>",
        *(write(article(each, n, max_tokens)) for n, each in enumerate(readings, 1)),
        "</main>",
        write(element("script", _file("page.js"))),
        "</body>",
        "</html>",
    ]
    return "\n".join(parts) + "\n"


def write_page(
    path: str | os.PathLike[str],
    readings: Iterable[Reading],
    title: str = "What coreference did",
    note: str = "",
    max_tokens: int | None = 2000,
) -> None:
    """Writes `as_page` to a file in UTF-8, replacing it as a whole."""
    page = as_page(readings, title, note, max_tokens)
    with atomic_write(path) as file:
        file.write(page.encode("utf-8"))


def _head(title: str) -> Element:
    # Should a token ever get out of its element, no script of it would run.
    digest = hashlib.sha256(_file("page.js").encode("utf-8")).digest()
    policy = (
        "default-src 'none'; style-src 'unsafe-inline'; "
        f"script-src 'sha256-{base64.b64encode(digest).decode('ascii')}'"
    )
    return element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=policy),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("title", visible_line(title)),
        element("style", _file("page.css") + _chain_colors()),
    )


def _header(title: str, note: str, readings: Sequence[Reading]) -> Element:
    num_wrong = sum(reading.correct is False for reading in readings)
    choices = element(
        "fieldset",
        element("legend", "Show"),
        _choice("all", f" all ({len(readings)})", checked="checked"),
        _choice("wrong-only", f" wrong only ({num_wrong})", checked=None),
    )
    return element(
        "header",
        element("h1", visible_line(title)),
        *([element("p", visible_line(note))] if note else []),
        choices,
        *(element("p", text, class_="legend") for text in _legend(readings)),
    )


def _choice(id: str, text: str, checked: str | None) -> Element:
    button = element("input", type="radio", name="show", id=id, checked=checked)
    return element("label", button, text)


def _legend(readings: Sequence[Reading]) -> list[str]:
    lines = [
        "Same colour and number: the same entity. Point at a mention, or press Tab, to "
        "light its chain; the arrow keys go along it."
    ]
    if any(any(each.document.attention) for each in readings):
        lines.append(
            "Frame and percentage: what a mention carried of the answers' probability; "
            "solid for the predicted answer."
        )
    if any(each.document.alpha or each.query.alpha for each in readings):
        lines.append(
            "Bars: how much a token took from the mention before in its chain and not "
            "from the word before, 1 - α, one bar a layer; "
            f"above {ARROWS['forward']} read forward, below {ARROWS['backward']} "
            "backward."
        )
    return lines


def _chain_colors() -> str:
    return "".join(
        f".k{number} {{ background-color: {color}; color: {ink_on(color)}; }}\n"
        f"mark.k{number}.p0 {{ background-image: none; }}\n"
        for number, color in enumerate(COLORS)
    )


@cache
def _file(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")
