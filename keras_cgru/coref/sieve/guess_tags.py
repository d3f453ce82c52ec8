"""Word classes without a tagger: lists, endings, capitals and the word before."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from keras_cgru.coref.sieve.closed_words import SINGULAR_DETERMINERS
from keras_cgru.coref.sieve.lexicon import lexical_code
from keras_cgru.coref.sieve.people import PERSON_NOUNS
from keras_cgru.coref.sieve.pronouns import PRONOUNS

# Behind these a noun phrase goes on, so a word that may be a noun is one.
_INSIDE_PHRASE = frozenset("DASMEp")
_BEFORE_VERB = frozenset("TX")
_NOUN_LIKE = frozenset("NABZEM")
_OBJECTS = frozenset("me him them us 'em".split())


def guess_tags(words: Sequence[str], names: Collection[int]) -> list[str]:
    """Gives the code of each word, as `closed_words` lists them.

    Args:
        words: The text, lower-cased.
        names: Positions of words that are names.

    Returns:
        One letter a word; "p" is a possessive pronoun.
    """
    lexical = ["E" if i in names else _code(word) for i, word in enumerate(words)]
    codes: list[str] = []
    before = "."
    last = len(words) - 1
    for position, code in enumerate(lexical):
        if code in "BZFGPDAWS":
            after = lexical[position + 1] if position < last else "."
            code = _decide(words, position, code, before, after)
        codes.append(code)
        before = code
    return codes


def _code(word: str) -> str:
    return "P" if word in PRONOUNS else lexical_code(word)[0]


def _decide(
    words: Sequence[str], position: int, code: str, before: str, after: str
) -> str:
    word = words[position]
    if code == "P":
        return _pronoun(word, after)
    if code == "B":
        return _base(words, position, before, after)
    if code == "Z":
        return _third_person(words, position, before, after)
    if code == "F":
        return "A" if before in "DSpA" and after in _NOUN_LIKE else "V"
    if code == "G":
        if before in "DSpA":
            return "A" if after in _NOUN_LIKE else "N"
        return "G"
    if word == "that":
        return "D" if before not in "NVEP" and after in "NAM" else "W"
    if word == "no":
        return "D" if after in _NOUN_LIKE else "O"
    if word in ("which", "what", "whose"):
        return "W"
    return code


def _pronoun(word: str, after: str) -> str:
    case = PRONOUNS[word].case
    if case == "possessive":
        return "p"
    if word == "her" and after in "NABZEMGF":
        return "p"
    return "P"


def _base(words: Sequence[str], position: int, before: str, after: str) -> str:
    if before in _BEFORE_VERB:
        return "V"
    if before in _INSIDE_PHRASE:
        # "the old men walk": an adjective or a name may also end the phrase.
        if before == "E" and after in "DPpITE":
            return "V"
        return "N"
    if before == "P":
        return "N" if words[position - 1] in _OBJECTS else "V"
    if before == "N" and after in "DPpT":
        return "V"
    if (
        before == "N"
        and words[position - 1] in PERSON_NOUNS
        and after not in _NOUN_LIKE
    ):
        # "(where did) mother go", not "the family house"
        return "V"
    if before in ".QCO" and after in "DPpIT":
        return "V"
    return "N"


def _third_person(words: Sequence[str], position: int, before: str, after: str) -> str:
    if before == "P":
        return "N" if words[position - 1] in _OBJECTS else "V"
    # "this makes", "Rachel leans"
    if before in "ER" or (
        before == "D" and words[position - 1] in SINGULAR_DETERMINERS
    ):
        return "V"
    if before == "N" and after in "DPpTU":
        return "V"
    return "N"
