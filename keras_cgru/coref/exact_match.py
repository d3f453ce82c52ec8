"""The simplest resolver: repeated content words corefer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

from keras_cgru.coref.stop_words import STOP_WORDS


class ExactMatchResolver:
    """Puts every repeated content word into a cluster of its own.

    No annotation and no model is needed. It finds the links that names and repeated
    nouns give and misses the pronouns.

    Args:
        stop_words: Tokens that never form a cluster.
        min_length: Tokens of fewer characters never form a cluster.

    Raises:
        ValueError: `min_length` is below 1.

    Example:

    >>> ExactMatchResolver().resolve("mary met john . john saw mary".split())
    (1, 0, 2, 0, 2, 0, 1)
    """

    def __init__(
        self, stop_words: Collection[str] = STOP_WORDS, min_length: int = 1
    ) -> None:
        if min_length < 1:
            raise ValueError(
                f"`min_length` must be at least 1. Received: min_length={min_length}"
            )
        self.stop_words = frozenset(stop_words)
        self.min_length = min_length

    def resolve(self, tokens: Sequence[str]) -> tuple[int, ...]:
        """Gives the cluster id of each token.

        Args:
            tokens: The text, one string a token.

        Returns:
            One id a token: 1, 2, ... in the order of first appearance for words that
            occur at least twice, 0 for all others.
        """
        counts = Counter(tokens)
        ids: dict[str, int] = {}
        for token in tokens:
            if counts[token] > 1 and token not in ids and self._links(token):
                ids[token] = len(ids) + 1
        return tuple(ids.get(token, 0) for token in tokens)

    def _links(self, token: str) -> bool:
        return len(token) >= self.min_length and token not in self.stop_words
