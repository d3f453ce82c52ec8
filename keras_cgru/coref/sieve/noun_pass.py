"""Noun phrases that take up an earlier one: the same head, nothing new said of it."""

from __future__ import annotations

from collections.abc import Sequence

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
    # By head, and by head and modifier: what repeats a modifier is looked for there.
    earlier: dict[tuple[str, str], list[Mention]] = {}
    for mention in state.mentions:
        if mention.kind != "noun":
            continue
        said = set(mention.modifiers)
        if mention.definite and mention.owner is None and not said & _NEW:
            word = mention.modifiers[0] if said else ""
            before = earlier.get((mention.word, word), ())
            _take_up(state, mention, said, before, reach)
        for word in ("", *said):
            earlier.setdefault((mention.word, word), []).append(mention)


def _take_up(
    state: State,
    mention: Mention,
    said: set[str],
    before: Sequence[Mention],
    reach: int,
) -> None:
    """Merges a mention with the latest one before of which all was said."""
    for candidate in reversed(before):
        if (
            mention.sentence - candidate.sentence > reach
            or mention.start - candidate.end > _REACH_IN_TOKENS
        ):
            break
        if candidate.end > mention.start or not said.issubset(candidate.modifiers):
            continue
        if state.entities.merge(candidate.index, mention.index):
            break


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
