"""Finds entities in a tokenised document by their words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from typing import Literal, get_args

Span = tuple[int, int]
MentionRule = Literal["whole", "any_word"]
MENTION_RULES = get_args(MentionRule)

_PIECE = re.compile(r"\w+|-+|''|``|[^\w\s]")
# One spelling for what has several.
_QUOTE = {"``": '"', "''": '"', "`": "'"}


class MentionFinder:
    """Knows where in a document each word stands.

    An entity is found by the pieces of its tokens: runs of letters and digits, and
    single marks, compared in Unicode's composed form (NFC) without case. So it does not
    matter to which word the tokeniser has left a hyphen or a full stop, nor whether a
    text spaces out "Den - O". Its last full stop may be missing: in "the U.S." at the
    end of a sentence it is the sentence's.

    A mention begins and ends where a token does, or within one at a hyphen or a slash:
    "german" is mentioned in "German-speaking", but "s" not in "Mary's". It covers all
    tokens that it touches.

    Args:
        tokens: The document.
    """

    def __init__(self, tokens: Sequence[str]) -> None:
        self._pieces: list[str] = []
        self._owners: list[int] = []
        self._places: dict[str, list[int]] = {}
        for position, token in enumerate(tokens):
            for piece in _pieces_of(token):
                self._places.setdefault(piece, []).append(len(self._pieces))
                self._pieces.append(piece)
                self._owners.append(position)

    def whole(self, tokens: Sequence[str]) -> list[Span]:
        """The mentions of an entity as a whole, as spans of document tokens, rising.

        Args:
            tokens: The entity's, not none.
        """
        pieces = [piece for token in tokens for piece in _pieces_of(token)]
        if len(pieces) > 1 and pieces[-1] == ".":
            pieces.pop()
        if not pieces:
            return []
        found = []
        for start in self._places.get(pieces[0], ()):
            end = start + len(pieces)
            if self._pieces[start:end] == pieces and self._is_whole(start, end):
                found.append((self._owners[start], self._owners[end - 1] + 1))
        # "x-x" holds "x" twice.
        return list(dict.fromkeys(found))

    def any_word(self, tokens: Sequence[str]) -> list[Span]:
        """All document tokens that equal any of the entity's, as the released code."""
        words = {_pieces_of(token) for token in tokens}
        starts = {
            self._owners[place]
            for pieces in words
            for place in self._places.get(pieces[0] if pieces else "", ())
            if self._is_token(place, pieces)
        }
        return [(start, start + 1) for start in sorted(starts)]

    def _is_token(self, start: int, pieces: tuple[str, ...]) -> bool:
        end = start + len(pieces)
        return (
            tuple(self._pieces[start:end]) == pieces
            and self._owners[start] == self._owners[end - 1]
            and self._begins_token(start)
            and self._begins_token(end)
        )

    def _is_whole(self, start: int, end: int) -> bool:
        return (self._begins_token(start) or _joins(self._pieces[start - 1])) and (
            self._begins_token(end) or _joins(self._pieces[end]) or self._is_stop(end)
        )

    def _is_stop(self, place: int) -> bool:
        """Whether a token ends there but for its full stop: "Inc." """
        return self._pieces[place] == "." and self._begins_token(place + 1)

    def _begins_token(self, place: int) -> bool:
        if place in (0, len(self._owners)):
            return True
        return self._owners[place] != self._owners[place - 1]


def positions_of(spans: Sequence[Span]) -> tuple[int, ...]:
    """The positions that spans cover, rising and each once."""
    covered: list[int] = []
    for start, end in sorted(spans):
        first = max(start, covered[-1] + 1) if covered else start
        covered.extend(range(first, end))
    return tuple(covered)


def _joins(piece: str) -> bool:
    return piece in ("-", "/")


@lru_cache(maxsize=1 << 17)
def _pieces_of(token: str) -> tuple[str, ...]:
    if token.isascii() and token.isalnum():
        return (token.lower(),)
    text = unicodedata.normalize("NFC", unicodedata.normalize("NFC", token).casefold())
    return tuple(
        "-" if piece[0] == "-" else _QUOTE.get(piece, piece)
        for piece in _PIECE.findall(text)
    )
