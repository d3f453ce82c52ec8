"""How wide a text is, and which of its characters can be drawn at all."""

from __future__ import annotations

from functools import lru_cache

from matplotlib.font_manager import FontProperties, findfont, get_font
from matplotlib.textpath import text_to_path

# Points; a figure has 100 pixels an inch, so 8 points are 11 pixels.
DPI = 100
TITLE, WORDS, SMALL = 12.0, 10.5, 8.0
# Comes with matplotlib, so a picture is the same on every machine.
FAMILY = "DejaVu Sans"
_NO_GLYPH = "\u25af"


def width_of(text: str, size: float = WORDS, bold: bool = False) -> float:
    """Pixels from the start of a text to where the next would begin."""
    return _width(text, bold) * size / 10


def drawable(text: str) -> str:
    """The text with an empty box for each character that the font lacks."""
    known = _characters()
    return "".join(each if ord(each) in known else _NO_GLYPH for each in text)


def fit(text: str, room: float, size: float = WORDS, bold: bool = False) -> str:
    """The text, its end cut where it is wider than `room` pixels."""
    if width_of(text, size, bold) <= room:
        return text
    kept, too_long = 0, len(text)
    while kept + 1 < too_long:
        middle = (kept + too_long) // 2
        if width_of(f"{text[:middle]}…", size, bold) <= room:
            kept = middle
        else:
            too_long = middle
    return f"{text[:kept]}…"


def properties(size: float, bold: bool = False) -> FontProperties:
    """The font of that size."""
    return FontProperties(family=FAMILY, weight="bold" if bold else "normal", size=size)


@lru_cache(maxsize=4096)
def _width(text: str, bold: bool) -> float:
    """Its width at 10 points; blanks at the ends count."""
    font = properties(10, bold)
    ink = text_to_path.get_text_width_height_descent(f"|{text}|", font, False)[0]
    bars = text_to_path.get_text_width_height_descent("||", font, False)[0]
    return (ink - bars) * DPI / 72


@lru_cache(maxsize=1)
def _characters() -> frozenset[int]:
    regular, bold = (
        frozenset(get_font(findfont(properties(10, weight))).get_charmap())
        for weight in (False, True)
    )
    return regular & bold
