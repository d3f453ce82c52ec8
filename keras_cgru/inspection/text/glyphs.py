"""The signs of a text view, in Unicode and in ASCII."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Glyphs(NamedTuple):
    """What a stream's encoding can show.

    Args:
        ascii: Whether tokens, too, must be ASCII.
        alpha: The letter.
        arrows: For the directions "forward" and "backward".
        levels: From nothing to full, for one character a value.
        bar: What a horizontal bar is made of.
        dots: Stands for what is left out.
    """

    ascii: bool
    alpha: str
    arrows: dict[str, str]
    levels: str
    bar: str
    dots: str


UNICODE = Glyphs(False, "α", {"forward": "→", "backward": "←"}, " ▁▂▃▄▅▆▇█", "█", "…")
ASCII = Glyphs(
    True, "alpha", {"forward": ">", "backward": "<"}, "0123456789", "#", "..."
)


def spark(shares: Sequence[float | None], glyphs: Glyphs) -> str:
    """One character a share, the higher the more; a point where there is none."""
    top = len(glyphs.levels) - 1
    return "".join(
        "." if share is None else glyphs.levels[round(share * top)] for share in shares
    )
