"""Typographic quotes, apostrophes, dashes and ellipses as the Penn Treebank has them.

Lists of words and rules know one spelling of each. Who reads tokens by them makes these
straight first; the tokens of an annotation stay as they came.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from keras_cgru.coref.text.marks import (
    CLOSING_DOUBLE,
    DASHES,
    DOUBLE_QUOTES,
    ELLIPSES,
    HYPHENS,
    OPENING_DOUBLE,
    OPENING_SINGLE,
    SINGLE_QUOTES,
)

_WITHIN = str.maketrans(
    {
        **dict.fromkeys(SINGLE_QUOTES, "'"),
        **dict.fromkeys(DOUBLE_QUOTES, '"'),
        **dict.fromkeys(HYPHENS, "-"),
        **dict.fromkeys(DASHES, "--"),
        **dict.fromkeys(ELLIPSES, "..."),
    }
)
_QUOTES = frozenset(DOUBLE_QUOTES + SINGLE_QUOTES)
# Of running text: within a word any single mark is an apostrophe, and quotation marks
# are left to the next step, but in a form that has one direction.
# What is looked for stands first in each pattern: text holds little of it.
_WITHIN_WORD = re.compile(rf"[{re.escape(SINGLE_QUOTES)}](?<=[^\W_].)(?=[^\W_])")
_MARK = re.compile(rf"``|''|[{re.escape(DOUBLE_QUOTES + SINGLE_QUOTES)}]")
_DIRECTED = {"``": "“", "''": "”", "`": "‘"}
_RANGE = re.compile(r"[‒–](?<=\d.)(?=\d)")
_REST = {
    **dict.fromkeys(HYPHENS.replace("-", ""), "-"),
    **dict.fromkeys("‒–" + DASHES, "--"),
    **dict.fromkeys(ELLIPSES, "..."),
}
_ANY_OF_REST = re.compile(rf"[{re.escape(''.join(_REST))}]")
# Alone, an en dash stands for a dash, and within a word for a hyphen.
_ALONE = {"–": "--", "‒": "--"}
# A language that opens with the one closes with the other.
_LOW = {"„": "“", "‚": "‘"}
_TURNED = {"»": "«", "›": "‹"}
_OTHER_WAY = {"``": "''", "''": "``", "`": "'", "'": "`"}


def straight_tokens(tokens: Sequence[str]) -> Sequence[str]:
    """Gives tokens with the marks of the Penn Treebank, one for each.

    A quotation mark is ``, '', `, ' or ", whichever way it was written; within a word,
    apostrophes, hyphens, dashes and ellipses are ', -, -- and "...". Quotes of other
    languages open and close as there: „so“ and »so«.

    Args:
        tokens: A text. One in ASCII is given back as it is.

    >>> straight_tokens("“ Don ’ t ” „ so “ Mary ’s well—known".split())
    ['``', 'Don', "'", 't', "''", '``', 'so', "''", 'Mary', "'s", 'well--known']
    """
    if "".join(tokens).isascii():
        return tokens
    straight = list(map(straight_token, tokens))
    for low, closing in _LOW.items():
        if low in tokens:
            _close_low(tokens, straight, low, closing)
    for first, last in _TURNED.items():
        if first in tokens:
            _turn(tokens, straight, first, last)
    return straight


@lru_cache(maxsize=1 << 16)
def straight_token(token: str) -> str:
    """Gives one token with straight marks; see `straight_tokens`."""
    if token.isascii():
        return token
    if not _QUOTES.issuperset(token):
        return _ALONE.get(token) or token.translate(_WITHIN)
    double = [mark for mark in token if mark in DOUBLE_QUOTES]
    mark = double[0] if double else token[0]
    if mark in OPENING_DOUBLE:
        return "``"
    if mark in CLOSING_DOUBLE:
        return "''"
    if double:
        return '"'
    return "`" if mark in OPENING_SINGLE else "'"


def straight_text(text: str) -> str:
    """Gives running text with few kinds of marks: “ ” ‘ where these are known, " and '.

    Apostrophes and closing single quotes are ', dashes --, ellipses "...". What
    the marks become does not depend on what else the text holds, but for » and „.

    >>> straight_text("»Don’t,« said Mary—‹so› …")
    "“Don't,” said Mary--‘so' ..."
    """
    if text.isascii() and "`" not in text and "''" not in text:
        return text
    text = _RANGE.sub("-", _WITHIN_WORD.sub("'", text))
    text = _ANY_OF_REST.sub(lambda mark: _REST[mark[0]], text)
    marks = iter(straight_tokens(_MARK.findall(text)))
    return _MARK.sub(lambda _: _directed(next(marks)), text)


def _directed(mark: str) -> str:
    return _DIRECTED.get(mark, mark)


def _close_low(
    tokens: Sequence[str], straight: list[str], low: str, closing: str
) -> None:
    """Lets a raised mark close what a low one has opened."""
    is_open = False
    for position, token in enumerate(tokens):
        if token == low:
            is_open = True
        elif is_open and straight[position] in _OTHER_WAY:
            if token == closing:
                straight[position] = _OTHER_WAY[straight[position]]
                is_open = False
            elif straight[position] == _OTHER_WAY[straight_token(low)]:
                is_open = False


def _turn(tokens: Sequence[str], straight: list[str], first: str, last: str) -> None:
    """Exchanges both directions in a text that begins with »so« and not with «so»."""
    marks = [position for position, token in enumerate(tokens) if token in first + last]
    if tokens[marks[0]] == first and tokens[marks[-1]] == last:
        for position in marks:
            straight[position] = _OTHER_WAY[straight[position]]
