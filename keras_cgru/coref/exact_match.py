"""The simplest resolver: repeated content words corefer."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from keras_cgru.coref.annotation import Annotation, Span
from keras_cgru.coref.text import STOP_WORDS


class ExactMatchResolver:
    """Puts every repeated content word into a cluster of its own.

    No annotation and no model is needed. It finds the links that names and repeated
    nouns give and misses the pronouns.

    Args:
        stop_words: Tokens that never form a cluster.
        min_length: Tokens of fewer characters never form a cluster.
        normalise: What two tokens must agree in to be the same word, for example
            `str.lower`, or `keras_cgru.coref.text.singular`; it makes
            "cats" a repetition of "cat". None compares the tokens themselves. A token
            whose normalised form is a stop word forms no cluster either.

    Raises:
        ValueError: `min_length` is below 1.

    Example:

    >>> ExactMatchResolver().resolve("mary met john . john saw mary".split()).clusters
    (((0, 1), (6, 7)), ((2, 3), (4, 5)))
    """

    def __init__(
        self,
        stop_words: Collection[str] = STOP_WORDS,
        min_length: int = 1,
        normalise: Callable[[str], str] | None = None,
    ) -> None:
        if min_length < 1:
            raise ValueError(
                f"`min_length` must be at least 1. Received: min_length={min_length}"
            )
        self.stop_words = frozenset(stop_words)
        self.min_length = min_length
        self.normalise = normalise

    def resolve(
        self, tokens: Sequence[str], sentence_starts: Sequence[int] | None = None
    ) -> Annotation:
        """Finds the words that occur at least twice.

        Args:
            tokens: The text, one string a token.
            sentence_starts: Kept in the annotation; the clusters do not depend on it.

        Returns:
            An annotation with one cluster a repeated word, of one-token spans.
        """
        forms = {token: self._form(token) for token in dict.fromkeys(tokens)}
        spans: dict[str, list[Span]] = {}
        for position, token in enumerate(tokens):
            form = forms[token]
            if form is not None:
                spans.setdefault(form, []).append((position, position + 1))
        return Annotation(
            tuple(tokens),
            tuple(tuple(each) for each in spans.values() if len(each) > 1),
            (0,) if sentence_starts is None else tuple(sentence_starts),
        )

    def _form(self, token: str) -> str | None:
        """What is compared; None for a token that forms no cluster."""
        if len(token) < self.min_length or token in self.stop_words:
            return None
        if self.normalise is None:
            return token
        form = self.normalise(token)
        return None if form in self.stop_words else form
