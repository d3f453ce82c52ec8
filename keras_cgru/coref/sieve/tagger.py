"""Word classes from a part-of-speech tagger that the user hands over."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from keras_cgru.coref.sieve.closed_words import CLOSED, POSSESSIVE_MARKS
from keras_cgru.coref.sieve.pronouns import PRONOUNS

_CODES = {
    "NN": "N",
    "NNS": "N",
    "NNP": "E",
    "NNPS": "E",
    "JJ": "A",
    "JJR": "A",
    "JJS": "A",
    "CD": "M",
    "VB": "V",
    "VBD": "V",
    "VBN": "V",
    "VBP": "V",
    "VBZ": "V",
    "VBG": "G",
    "MD": "X",
    "RB": "R",
    "RBR": "R",
    "RBS": "R",
    "RP": "R",
    "IN": "I",
    "TO": "T",
    "CC": "C",
    "DT": "D",
    "PDT": "D",
    "WDT": "W",
    "WP": "W",
    "WP$": "W",
    "WRB": "W",
    "EX": "U",
    "UH": "O",
    "POS": "S",
    "FW": "N",
    "GW": "N",
    "AFX": "A",
    "ADD": "N",
    "LS": "M",
    "PRP": "U",
    "PRP$": "U",
    "XX": "O",
    # Marks that a tagger sees in a token with letters or digits.
    **dict.fromkeys("# $ SYM . , : `` '' -LRB- -RRB- HYPH NFP".split(), ","),
}
# Closed classes that no tagger needs to decide.
_FIXED = frozenset("QXC.,U")


def codes_of_tags(
    tokens: Sequence[str],
    words: Sequence[str],
    starts: Sequence[int],
    tagger: Callable[[list[str]], Sequence[str]],
    names: Collection[int],
) -> list[str]:
    """Gives the code of each word from the tags of its sentence.

    Tokens and words have straight marks, as the texts that taggers are trained on.

    Raises:
        ValueError: The tagger gives another number of tags than it was given tokens,
            or a tag that is none of the Penn Treebank's.
    """
    codes: list[str] = []
    ends = [*starts[1:], len(tokens)]
    for start, end in zip(starts, ends, strict=False):
        sentence = list(tokens[start:end])
        tags = list(tagger(sentence))
        if len(tags) != len(sentence):
            raise ValueError(
                "`tagger` must return one tag a token. Received: "
                f"{len(tags)} tags for {len(sentence)} tokens"
            )
        for position, tag in enumerate(tags, start):
            codes.append(_code(words[position], tag, position in names))
    return codes


def _code(word: str, tag: str, name: bool) -> str:
    if word in PRONOUNS:
        possessive = PRONOUNS[word].case == "possessive" or (
            word == "her" and tag == "PRP$"
        )
        return "p" if possessive else "P"
    if word in POSSESSIVE_MARKS:
        return "S"
    closed = CLOSED.get(word)
    if closed is not None and closed in _FIXED:
        return closed
    if not any(map(str.isalnum, word)):
        return ","
    if name:
        return "E"
    code = _CODES.get(tag)
    if code is None:
        raise ValueError(f"`tagger` must return Penn Treebank tags. Received: {tag!r}")
    return code
