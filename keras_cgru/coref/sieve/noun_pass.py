"""Noun phrases that take up an earlier one: the same head, nothing new said of it."""

from __future__ import annotations

from keras_cgru.coref.sieve.mention import Mention
from keras_cgru.coref.sieve.state import State

# Of a text without sentences, no more than this is searched.
_REACH_IN_TOKENS = 1000
_NEW = frozenset("other another same next first second third last different".split())


def link_nouns(state: State, reach: int = 20) -> None:
    """Merges definite noun phrases with an earlier phrase of the same head.

    "The man" takes up "an old man", "the old man" does not take up "a young man".

    Args:
        state: The text.
        reach: The antecedent is at most so many sentences before.
    """
    earlier: dict[str, list[Mention]] = {}
    for mention in state.mentions:
        if mention.kind != "noun":
            continue
        before = earlier.setdefault(mention.word, [])
        if mention.definite and mention.owner is None:
            for candidate in reversed(before):
                if (
                    mention.sentence - candidate.sentence > reach
                    or mention.start - candidate.end > _REACH_IN_TOKENS
                ):
                    break
                if _takes_up(mention, candidate) and state.entities.merge(
                    candidate.index, mention.index
                ):
                    break
        before.append(mention)


def _takes_up(mention: Mention, candidate: Mention) -> bool:
    if candidate.end > mention.start:
        return False
    said = set(mention.modifiers)
    return not said & _NEW and said <= set(candidate.modifiers)


def link_owned(state: State) -> None:
    """Merges "her mother" and "Lucy's mother" where "her" is Lucy."""
    root = state.entities.root
    seen: dict[tuple[int, str], Mention] = {}
    for mention in state.mentions:
        if mention.owner is None or mention.kind == "pronoun":
            continue
        key = (root(mention.owner.index), mention.word)
        first = seen.setdefault(key, mention)
        if first is not mention and first.end <= mention.start:
            state.entities.merge(first.index, mention.index)
