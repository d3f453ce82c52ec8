"""Quoted speech: where it starts and ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from keras_cgru.coref.text.speech_verbs import SPEECH

_FAMILIES = {
    "``": "double",
    "“": "double",
    "«": "double",
    '"': "double",
    "''": "double",
    "”": "double",
    "»": "double",
    "’”": "double",
    "`": "single",
    "‘": "single",
    "'": "single",
    "’": "single",
}
_OPENING = frozenset("`` “ « ` ‘".split())
_EITHER = frozenset("\" '".split())


@dataclass(slots=True)
class Quote:
    """A stretch of quoted speech.

    Args:
        start: The first token behind the opening mark.
        end: The closing mark, or where the text or the paragraph ends without one.
        resumed: The quotation before stopped without a closing mark: its speaker goes
            on in a new paragraph.
    """

    start: int
    end: int
    resumed: bool = False


def find_quotes(tokens: Sequence[str]) -> list[Quote]:
    """Gives the outermost quotations that are speech, in order.

    A text may start or stop within a quotation. Marks around a word or two without a
    comma or a full stop before the closing one ("so-called") are no speech.
    """
    # Beside double marks, single ones are apostrophes and quotations within quotations.
    double = any(_FAMILIES.get(token) == "double" for token in tokens)
    found: list[Quote] = []
    family, start, resumed = "", 0, False
    for position, token in enumerate(tokens):
        kind = _FAMILIES.get(token)
        if kind is None or (double and kind == "single"):
            continue
        after_word = position > 0 and tokens[position - 1][-1].isalnum()
        if not family:
            # Behind a word, "'" is an apostrophe, unless the word says that one speaks.
            if token in _OPENING or (
                token in _EITHER
                and (token == '"' or not after_word or tokens[position - 1] in SPEECH)
            ):
                family, start = kind, position + 1
            elif kind == "double" and not found and not resumed:
                # The text starts within speech.
                found.append(Quote(0, position))
        elif kind == family:
            if token in _OPENING:
                found.append(Quote(start, position, resumed))
                start, resumed = position + 1, True
            elif not (kind == "single" and after_word and _goes_on(tokens, position)):
                if _is_speech(tokens, start, position):
                    found.append(Quote(start, position, resumed))
                family, resumed = "", False
    if family and start < len(tokens):
        found.append(Quote(start, len(tokens), resumed))
    return [quote for quote in found if quote.start < quote.end]


def _goes_on(tokens: Sequence[str], position: int) -> bool:
    """Whether a single mark behind a word is the apostrophe of "the boys' room"."""
    after = position + 1
    return after < len(tokens) and tokens[after][0].isalnum()


def _is_speech(tokens: Sequence[str], start: int, end: int) -> bool:
    return end - start > 4 or (end > start and not tokens[end - 1][-1].isalnum())
