"""HTML built as a tree, so that text can never become markup."""

from __future__ import annotations

from xml.etree.ElementTree import Element, tostring


def element(tag: str, *children: Element | str, **attributes: str | None) -> Element:
    """An element with its children in their order.

    Args:
        tag: Its name.
        *children: Elements, and text, which is escaped where it is written.
        **attributes: `class_` is `class`, other underscores are hyphens. One that is
            None is left out.
    """
    named = {
        name.rstrip("_").replace("_", "-"): value
        for name, value in attributes.items()
        if value is not None
    }
    made = Element(tag, named)
    last: Element | None = None
    for child in children:
        if isinstance(child, Element):
            made.append(child)
            last = child
        elif last is None:
            made.text = (made.text or "") + child
        else:
            last.tail = (last.tail or "") + child
    return made


def classes(*names: str) -> str | None:
    """The names that are not empty; None where all are."""
    return " ".join(filter(None, names)) or None


def write(made: Element) -> str:
    """The element as HTML. Styles and scripts are written as they are."""
    return tostring(made, encoding="unicode", method="html")
