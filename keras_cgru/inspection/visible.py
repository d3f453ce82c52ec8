"""Tokens as they can be shown anywhere: nothing invisible, nothing that acts."""

from __future__ import annotations

import unicodedata

from rich.cells import cell_len

# Emoji and some scripts join their letters with these.
_JOINERS = "\u200c\u200d"
# Controls (ANSI escapes start with one), marks that turn the direction of writing,
# halves of characters, ends of lines and paragraphs.
_ACTING = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
_SPACE = "\u2423"
_EMPTY = "\u2205"
_CIRCLE = "\u25cc"


def visible(text: str, ascii: bool = False) -> str:
    """Writes a token so that it is seen and does nothing.

    Controls become escapes (`\\x1b`), spaces an open box, and no text the sign of the
    empty set. A mark that would stand on the character before the token gets a circle
    to stand on.

    Args:
        text: One token, not a line: spaces are shown.
        ascii: Whether all other than ASCII becomes an escape, too.
    """
    if ascii:
        shown = "".join(map(_visible, text)).replace(_SPACE, "_") or "''"
        return shown.encode("ascii", "backslashreplace").decode("ascii")
    shown = "".join(map(_visible, text)) or _EMPTY
    return _CIRCLE + shown if unicodedata.category(shown[0])[0] == "M" else shown


def visible_line(text: str, ascii: bool = False) -> str:
    """The same of a line of text, whose words may have spaces between them."""
    return " ".join(visible(word, ascii) for word in text.split(" ") if word)


def columns(text: str) -> int:
    """How many columns of a terminal a text takes: two for a wide character."""
    return cell_len(text)


def _visible(character: str) -> str:
    if character in _JOINERS:
        return character
    category = unicodedata.category(character)
    if category in _ACTING:
        return character.encode("unicode_escape", "surrogatepass").decode("ascii")
    return _SPACE if category == "Zs" else character
