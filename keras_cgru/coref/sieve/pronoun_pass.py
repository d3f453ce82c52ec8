"""Third-person pronouns: the best earlier mention that agrees."""

from __future__ import annotations

import math
from collections.abc import Sequence

from keras_cgru.coref.sieve.mention import Mention
from keras_cgru.coref.sieve.pronouns import ANY_GENDER, NEUTER
from keras_cgru.coref.sieve.state import State

# Antecedents stand at most so many sentences before.
_REACH = 4
_REACH_OF_IT = 2
# Of a text without sentences, no more than this is searched.
_REACH_IN_TOKENS = 400
_CLAUSE_IN_TOKENS = 40
# From so many on, the earlier mentions are looked through for those to forget.
_MANY = 16
# Beyond one of these word classes another clause begins.
_BREAKS = frozenset("CW.,Q")

# What an antecedent gains or loses. Round numbers: F1 hardly moves when one of them
# is halved or doubled, but for the first three.
_SENTENCE = 0.8  # lost for each sentence between
_TOKEN = 0.005  # and for each token
_SUBJECT = 1.0
_BOTH_SUBJECTS = 0.3
_OWNER = 0.2  # "her" in "her hand"
_OFTEN = 0.5  # times the logarithm of how often it was mentioned
_NAME = 0.3
_OTHER_LEVEL = 0.8  # lost where one is in quoted speech and the other is not
_THING_FOR_PERSON = 1.5  # lost by a noun that need not be a person
_NAME_FOR_PERSON = 0.3  # lost by a name that need not be a person's
_ANY_FOR_THING = 1.5
_THINGS_FOR_THEM = 2.5
_BESIDE = 3.0  # a reflexive pronoun right behind
# "it" often means no thing at all, so its antecedent must be good.
_LEAST = -3.0
_LEAST_FOR_IT = -0.7


def link_pronouns(state: State) -> None:
    """Links each third-person pronoun to its best antecedent, in reading order."""
    entities = state.entities
    # An owner is read before the phrase that it owns.
    order = sorted(state.mentions, key=lambda mention: (mention.end, -mention.start))
    earlier: list[Mention] = []
    many = _MANY
    counts: dict[int, int] = {}
    for mention in order:
        if mention.kind == "pronoun" and mention.person == 3:
            if len(earlier) > many:
                earlier = _within_reach(state, mention, earlier)
                many = max(_MANY, 2 * len(earlier))
            antecedent = _antecedent(state, mention, earlier, counts)
            if antecedent is not None:
                entities.merge(antecedent.index, mention.index)
        root = entities.root(mention.index)
        counts[root] = counts.get(root, 0) + 1
        earlier.append(mention)


def _within_reach(
    state: State, pronoun: Mention, earlier: list[Mention]
) -> list[Mention]:
    """The mentions that this pronoun and later ones may take up, in their order.

    Of an entity's mentions with equal features the latest scores highest, so the ones
    before it are not asked again.
    """
    kept: list[Mention] = []
    latest: dict[tuple[int, bool, bool, bool, bool, bool], int] = {}
    for mention in reversed(earlier):
        if (
            pronoun.sentence - mention.sentence > _REACH
            or pronoun.start - mention.end > _REACH_IN_TOKENS
        ):
            break
        features = (
            state.entities.root(mention.index),
            mention.subject,
            mention.case == "possessive",
            mention.kind == "name",
            mention.quote >= 0,
            mention.person == 3,
        )
        if mention.sentence > latest.get(features, -1):
            latest[features] = mention.sentence
            kept.append(mention)
    return kept[::-1]


def _antecedent(
    state: State, pronoun: Mention, earlier: list[Mention], counts: dict[int, int]
) -> Mention | None:
    if pronoun.word == "it" and _is_empty(state, pronoun):
        return None
    entities = state.entities
    excluded = _excluded(state, pronoun, earlier)
    thing = pronoun.gender == NEUTER
    reflexive = pronoun.case == "reflexive"
    best, best_score = None, _LEAST_FOR_IT if thing else _LEAST
    reach = 0 if reflexive else _REACH_OF_IT if thing else _REACH
    for candidate in reversed(earlier):
        distance = pronoun.sentence - candidate.sentence
        if distance > reach or pronoun.start - candidate.end > _REACH_IN_TOKENS:
            break
        if candidate.end > pronoun.start or candidate.person != 3:
            continue
        root = entities.root(candidate.index)
        if (
            root in excluded
            or entities.are_apart(root, pronoun.index)
            or entities.are_named_apart(root, pronoun.index)
        ):
            continue
        score = _score(pronoun, candidate, distance, entities.genders[root])
        score += _OFTEN * math.log(counts.get(root, 1) + 1)
        if reflexive and candidate.end == pronoun.start:
            # "Bernie himself"
            score += _BESIDE
        if score > best_score:
            best, best_score = candidate, score
    return best


def _excluded(state: State, pronoun: Mention, earlier: list[Mention]) -> set[int]:
    """Entities that the pronoun cannot mean: who speaks, who acts on it."""
    root = state.entities.root
    if pronoun.quote >= 0:
        excluded = {
            root(state.speakers[pronoun.quote]),
            root(state.addressees[pronoun.quote]),
        }
    else:
        excluded = {root(state.narrator)}
    if pronoun.case not in ("object", ""):
        return excluded
    # "Mary saw her": another one. "Mary said that he saw her": maybe Mary.
    clause = _clause_start(state.text.codes, pronoun.start)
    for candidate in reversed(earlier):
        if candidate.sentence != pronoun.sentence or candidate.end < clause:
            break
        if candidate.end > pronoun.start:
            continue
        if candidate.case != "possessive":
            excluded.add(root(candidate.index))
    return excluded


def _clause_start(codes: Sequence[str], position: int) -> int:
    """The first token of the clause that a position stands in."""
    first = max(position - _CLAUSE_IN_TOKENS, 0)
    while position > first and codes[position - 1] not in _BREAKS:
        position -= 1
    return position


def _score(pronoun: Mention, candidate: Mention, distance: int, gender: int) -> float:
    score = -_SENTENCE * distance - _TOKEN * (pronoun.start - candidate.end)
    if candidate.subject:
        score += _SUBJECT
        if pronoun.subject:
            score += _BOTH_SUBJECTS
    elif candidate.case == "possessive":
        score += _OWNER
    if candidate.kind == "name":
        score += _NAME
    if (candidate.quote >= 0) != (pronoun.quote >= 0):
        score -= _OTHER_LEVEL
    if pronoun.gender == NEUTER:
        if gender == ANY_GENDER:
            score -= _ANY_FOR_THING
    elif pronoun.gender == ANY_GENDER:
        if gender == NEUTER:
            score -= _THINGS_FOR_THEM
    elif gender & NEUTER:
        named = candidate.kind == "name"
        score -= _NAME_FOR_PERSON if named else _THING_FOR_PERSON
    return score


def _is_empty(state: State, pronoun: Mention) -> bool:
    """Whether "it" stands for nothing: "it was clear that", "it seemed"."""
    words, codes = state.text.words, state.text.codes
    position = pronoun.end
    if position < len(words) and words[position].startswith(("seem", "appear", "rain")):
        return True
    while position < len(words) and codes[position] in "XRS":
        position += 1
    if position == pronoun.end or position >= len(words):
        return False
    if codes[position] in "AV" and position + 1 < len(words):
        return words[position + 1] in ("that", "to", "for", "how", "when", "if")
    return words[position] in ("time", "like", "as")
