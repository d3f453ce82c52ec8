"""A text without all that tokenisers differ in."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from keras_cgru.coref.text.marks import (
    DASHES,
    DOUBLE_QUOTES,
    HYPHENS,
    SINGLE_QUOTES,
)

# A double quote is two single ones, whichever way it is written: " `` '' “ ”.
_MARKS = str.maketrans(
    {
        **dict.fromkeys(SINGLE_QUOTES, "'"),
        **dict.fromkeys(DOUBLE_QUOTES, "''"),
        **dict.fromkeys(HYPHENS + DASHES, "-"),
        # Penn Treebank files escape slashes and asterisks with it.
        "\\": None,
    }
)
_DROPPED = frozenset(("Mn", "Cf", "Cc", "Zs", "Zl", "Zp"))
_BRACKETS = dict(zip("lrb rrb lsb rsb lcb rcb".split(), "()[]{}", strict=True))
_NAMES = "|".join(_BRACKETS)
# Runs of dashes are written in many lengths, and CoreNLP repeats the full stop of an
# abbreviation that ends a sentence.
_REWRITTEN = re.compile(rf"-({_NAMES})-|-{{2,}}(?!(?:{_NAMES})-)|\.{{2,}}")


@dataclass(frozen=True)
class CanonicalText:
    """The characters of a tokenised text, and whose they are.

    Case, accents, white space and invisible characters are gone; quotes, dashes,
    ellipses and the brackets of the Penn Treebank are each written in one way.

    Args:
        text: The characters of all tokens.
        first: The position of the token in which each character begins, rising.
        last: The position of the token in which it ends; another only where the name
            of a bracket was split.
    """

    text: str
    first: Sequence[int]
    last: Sequence[int]

    @classmethod
    def of(cls, tokens: Sequence[str]) -> CanonicalText:
        """Makes it of a text's tokens."""
        parts = [_canonical(token) for token in tokens]
        text = "".join(parts)
        owners = [owner for owner, part in enumerate(parts) for _ in part]
        if not _REWRITTEN.search(text):
            return cls(text, owners, owners)
        return _rewrite(text, owners)


@lru_cache(maxsize=1 << 16)
def _canonical(token: str) -> str:
    if token.isascii() and token.isalnum():
        return token.lower()
    text = unicodedata.normalize("NFKD", token.translate(_MARKS)).casefold()
    text = unicodedata.normalize("NFKD", text).translate(_MARKS)
    return "".join(c for c in text if unicodedata.category(c) not in _DROPPED)


def _rewrite(text: str, owners: list[int]) -> CanonicalText:
    parts: list[str] = []
    first: list[int] = []
    last: list[int] = []
    done = 0
    for match in _REWRITTEN.finditer(text):
        start, end = match.span()
        bracket = _BRACKETS.get(match[1]) if match[1] else None
        parts += text[done:start], bracket or text[start]
        first += owners[done : start + 1]
        last += owners[done:start]
        last.append(owners[end - 1] if bracket else owners[start])
        done = end
    parts.append(text[done:])
    return CanonicalText("".join(parts), first + owners[done:], last + owners[done:])
