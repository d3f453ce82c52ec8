"""What a reader asks of a coreference resolver."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from keras_cgru.coref.annotation import Annotation


@runtime_checkable
class Resolver(Protocol):
    """Anything that finds the coreference clusters of a text."""

    def resolve(
        self, tokens: Sequence[str], sentence_starts: Sequence[int] | None = None
    ) -> Annotation:
        """Annotates a text.

        Args:
            tokens: The text, one string a token.
            sentence_starts: The position of each sentence's first token; None where
                they are not known.

        Returns:
            An annotation of just these tokens.
        """
        ...


def check_tokens(tokens: Sequence[str]) -> None:
    """Refuses running text, whose characters a resolver would read as words.

    Raises:
        ValueError: `tokens` is one string.
    """
    if isinstance(tokens, str):
        raise ValueError(
            "`tokens` must be a sequence of words; of running text "
            "`resolver.resolve(*keras_cgru.coref.text.tokenise(text))` makes them. "
            f"Received: one string, {tokens[:40]!r}"
        )
