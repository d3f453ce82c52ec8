"""Abbreviations whose full stop ends no sentence."""

from __future__ import annotations

TITLES = frozenset(
    "mr mrs ms messrs mme mlle dr prof st rev gen col capt lt sgt mt vs".split()
)
"""Behind these the sentence goes on, mostly with a name."""

RARE_TITLES = frozenset(
    "fr hon pres gov sen rep cmdr maj cpl adm ft cf ca approx viz i.e e.g".split()
)
"""The same in running text. As tokens they are words, too: "yes , hon ."."""

SUFFIXES = frozenset("sr jr".split())
"""Behind a name; a capital behind them tells whether a sentence begins."""

NUMBERED = frozenset("no nos vol pp p fig figs eq ch sec art v".split())
"""Abbreviations where a number follows."""


def is_abbreviation(word: str) -> bool:
    """Whether a full stop that is a token of its own belongs to the word before.

    It does behind a title ("mr ."), and behind an initial but for the words "a", "i".
    """
    lower = word.lower()
    if len(word) == 1:
        return word.isalpha() and lower not in ("a", "i")
    return lower in TITLES or lower in SUFFIXES
