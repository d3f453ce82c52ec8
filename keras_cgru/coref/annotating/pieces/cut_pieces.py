"""Cuts documents that are too long to be annotated at once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from keras_cgru.coref.annotating.piece import Piece
from keras_cgru.coref.annotating.raw_document import RawDocument
from keras_cgru.coref.annotating.resolver_settings import ResolverSettings

# Longer than nearly all novels. What is longer is most likely several texts.
LARGE_CHARACTERS = 2_000_000
# A few seconds of a rule-based resolver.
_PIECE = 500_000
_SHARED = 20_000
# No text has so many in a token: so a piece holds what a window of tokens needs.
_CHARACTERS_A_TOKEN = 10
# Where to cut, best first, and how far back that is looked for.
_CUTS = tuple(map(re.compile, (r"\n[^\S\n]*\n", r"[.!?…]['\"”’»)\]]*\s", r"\s")))
_LOOK_BACK = 8_000
_ALONE = ("sieve",)


@dataclass(frozen=True)
class Pieces:
    """How long documents are cut.

    Args:
        large: Only documents of more characters are.
        size: Characters of a piece, at most.
        shared: About so many at its end are read along with the next piece.
    """

    large: int = LARGE_CHARACTERS
    size: int = _PIECE
    shared: int = _SHARED

    @classmethod
    def choose(cls, resolver: ResolverSettings | None) -> Pieces | None:
        """How a resolver reads long documents; None where it reads them whole.

        The rule-based resolver reads them in pieces, and so does every resolver that
        has a window, which is then one within a piece. A piece is no shorter than a
        window: one that holds a whole document leaves it whole.
        """
        if resolver is None:
            return None
        if resolver.window is None:
            return cls() if resolver.name in _ALONE else None
        window = resolver.window * _CHARACTERS_A_TOKEN
        shared = max(_SHARED, resolver.overlap * _CHARACTERS_A_TOKEN)
        size = max(_PIECE, window, 2 * shared)
        return cls(max(LARGE_CHARACTERS, size), size, shared)

    def to_dict(self) -> dict[str, Any]:
        """What a file of results says of them."""
        return {"characters": self.size, "shared": self.shared}

    def of(self, documents: Iterable[RawDocument]) -> Iterator[RawDocument]:
        """The documents, in the place of each long text its pieces."""
        for document in documents:
            if document.text is None or document.size <= self.large:
                yield document
            else:
                yield from self._cut(document, document.text)

    def _cut(self, document: RawDocument, text: str) -> Iterator[RawDocument]:
        ends = [0]
        while ends[-1] < len(text):
            ends.append(_end(text, ends[-1], ends[-1] + self.size))
        before = ""
        for number, (start, end) in enumerate(zip(ends, ends[1:], strict=False)):
            is_last = end == len(text)
            shared = end if is_last else _end(text, start, end - self.shared)
            piece = Piece(number, len(ends) - 1, before, shared - start)
            yield replace(document, text=text[start:end], piece=piece)
            before = text[shared:end]


def _end(text: str, start: int, most: int) -> int:
    """Where to cut, at `most` or somewhat before, behind a paragraph if possible."""
    if most >= len(text):
        return len(text)
    behind = max(start + 1, most - _LOOK_BACK)
    for pattern in _CUTS:
        ends = [found.end() for found in pattern.finditer(text, behind, most)]
        if ends:
            return ends[-1]
    return most
