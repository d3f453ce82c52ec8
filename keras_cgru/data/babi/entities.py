"""Which words of a bAbI task name people, things, places and kinds.

The paper links tokens that match exactly and speaks of at most 13 clusters in any
task, but its bAbI code was never released. The rule here is grammar, with no list of
bAbI's words: it looks at nothing but the training split.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence

from keras_cgru.coref.text.stop_words import PUNCTUATION, STOP_WORDS
from keras_cgru.data.babi.question import BabiQuestion

_ARTICLES = frozenset(("a", "an", "the"))
# These begin and end sentences as names and nouns do, but say when.
_TIMES = frozenset(
    "today yesterday tomorrow tonight morning afternoon evening night noon later "
    "afterwards afterward following".split()
)
_Phrase = tuple[str, ...]


def entity_words(questions: Iterable[BabiQuestion]) -> frozenset[str]:
    """Finds the words that stand for entities in the passages of a task.

    They are neither function words nor words of time, and in some sentence of a
    passage they stand

    * right behind an article ("the kitchen", "a swan", "the red square"), unless
      "of" follows each time: "to the left of" is a relation; or
    * at its beginning, as names do; or
    * at its end ("afraid of cats", "is yellow", "dropped the football").

    Args:
        questions: The training questions of one task.
    """
    found: set[str] = set()
    for sentence in {s for question in questions for s in question.story}:
        words = [token for token in sentence if token not in PUNCTUATION]
        found.update(words[:1], words[-1:])
        for before, word, after in zip(
            words, words[1:], [*words[2:], ""], strict=False
        ):
            if before in _ARTICLES and after != "of":
                found.add(word)
    return frozenset(found - STOP_WORDS - _TIMES)


def entity_clusters(
    document: Sequence[str],
    query: Sequence[str],
    entities: Collection[str],
    normalise: Callable[[str], str] | None = None,
    phrases: bool = False,
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Links the mentions of each entity in a passage and its question.

    Args:
        document: Tokens of the passage.
        query: Tokens of the question.
        entities: What `entity_words` found.
        normalise: Words are equal where what it gives for them is; None compares the
            words themselves.
        phrases: Whether neighbouring entity words, or such around "of", are one
            mention: "red square", "box of chocolates". Else each word is one.

    Returns:
        The cluster ids of the passage's tokens and of the question's: 1, 2, ... by
        first appearance for entities with two mentions or more, 0 for all else.
    """
    normalise = normalise or str
    known = {normalise(word) for word in entities}
    keys = _mentions(document, known, normalise, phrases)
    keys += _mentions(query, known, normalise, phrases)
    sizes = Counter(key for key, is_first in keys if is_first)
    numbers: dict[_Phrase, int] = {}
    for key, _ in keys:
        if key and sizes[key] > 1:
            numbers.setdefault(key, len(numbers) + 1)
    ids = tuple(numbers.get(key, 0) for key, _ in keys)
    return ids[: len(document)], ids[len(document) :]


def _mentions(
    tokens: Sequence[str],
    known: Collection[str],
    normalise: Callable[[str], str],
    phrases: bool,
) -> list[tuple[_Phrase, bool]]:
    """For each token the words of its mention, and whether it is the mention's first.

    The words are () for a token of no mention.
    """
    words = [normalise(token) for token in tokens]
    mentions: list[tuple[_Phrase, bool]] = []
    while len(mentions) < len(words):
        start = len(mentions)
        if words[start] not in known:
            mentions.append(((), False))
            continue
        end = start + 1
        while phrases and (step := _next_word(words, end, known)):
            end += step
        phrase = tuple(words[start:end])
        mentions += [(phrase, position == start) for position in range(start, end)]
    return mentions


def _next_word(words: Sequence[str], position: int, known: Collection[str]) -> int:
    """How many words go on with the phrase that has come to a position; 0 for none."""
    following = words[position : position + 2]
    if following and following[0] in known:
        return 1
    if len(following) == 2 and following[0] == "of" and following[1] in known:
        return 2
    return 0
