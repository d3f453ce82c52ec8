"""Which entities are of one kind, from the places where their names stand."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from itertools import combinations

# Of the cosine. People, places, things, animals, colours and shapes of all twenty bAbI
# tasks part at any value from 0.5 to 0.8.
THRESHOLD = 0.7
_ENTITY = "<entity>"


def entity_kinds(
    sentences: Iterable[Sequence[str]],
    entities: Collection[str],
    threshold: float = THRESHOLD,
) -> tuple[frozenset[str], ...]:
    """Groups entities whose names stand between the same words.

    A name's contexts are the two words before it, and the word behind it, in each
    distinct sentence; any other entity counts as the same word. Two names whose
    context counts have a cosine above the threshold are of one kind, and so are names
    that a chain of such pairs connects.

    Args:
        sentences: Tokens of each sentence, of training texts.
        entities: The names.
        threshold: Of the cosine, in [0, 1].

    Returns:
        The kinds, each name in one of them, sorted by their first names. A name that
        stands in no sentence is a kind of its own.

    Raises:
        ValueError: `threshold` is out of its range.

    Reference:
        Harris (1954), "Distributional structure", Word 10.
    """
    if not 0 <= threshold <= 1:
        raise ValueError(
            f"`threshold` must be in [0, 1]. Received: threshold={threshold}"
        )
    contexts = _contexts(sentences, frozenset(entities))
    kind_of = {name: {name} for name in contexts}
    for a, b in combinations(sorted(contexts), 2):
        if _cosine(contexts[a], contexts[b]) > threshold:
            kind_of[a] |= kind_of[b]
            for name in kind_of[b]:
                kind_of[name] = kind_of[a]
    kinds = {frozenset(kind) for kind in kind_of.values()}
    return tuple(sorted(kinds, key=min))


def _contexts(
    sentences: Iterable[Sequence[str]], entities: frozenset[str]
) -> dict[str, Counter]:
    contexts: dict[str, Counter] = {name: Counter() for name in entities}
    for sentence in {tuple(sentence) for sentence in sentences}:
        words = [_ENTITY if word in entities else word for word in sentence]
        padded = ["", "", *words, ""]
        for position, word in enumerate(sentence):
            if word in entities:
                before, after = tuple(padded[position : position + 2]), position + 3
                contexts[word]["before", before] += 1
                contexts[word]["after", padded[after]] += 1
    return contexts


def _cosine(a: Counter, b: Counter) -> float:
    product = sum(count * b[context] for context, count in a.items())
    lengths = math.hypot(*a.values()) * math.hypot(*b.values())
    # Rounding takes equal contexts above 1.
    return min(product / lengths, 1.0) if lengths else 0.0
