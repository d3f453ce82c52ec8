"""Which quotations are open, for marks that look alike at both ends."""

from __future__ import annotations

from collections.abc import Sequence

from keras_cgru.coref.text.marks import EITHER_QUOTES, OPENING_QUOTES

_CLOSED_BY = {"'": frozenset("` '".split()), '"': frozenset('"')}


class OpenQuotes:
    """Follows a text's quotation marks from its start.

    Args:
        tokens: The text, its marks straight.
    """

    def __init__(self, tokens: Sequence[str]) -> None:
        self._tokens = tokens
        self._open: set[str] = set()

    def closes(self, token: str) -> bool:
        """Whether ' or " would close a quotation here."""
        return token in _CLOSED_BY and bool(_CLOSED_BY[token] & self._open)

    def follow(self, position: int) -> None:
        """Takes account of the token at a position; they come in order."""
        token = self._tokens[position]
        if token in OPENING_QUOTES:
            self._open.add(token)
        elif token in EITHER_QUOTES:
            if self.closes(token):
                self._open -= _CLOSED_BY[token]
            elif position == 0 or not self._tokens[position - 1][-1:].isalnum():
                # Behind a word it is the possessive of a plural: the boys ' room.
                self._open.add(token)
