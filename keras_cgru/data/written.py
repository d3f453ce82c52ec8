"""The tokens of an example as they are written, which readers of characters want."""

from __future__ import annotations

from collections.abc import Sequence

from keras_cgru.data.example import Example


def written_document(example: Example) -> Sequence[str]:
    """The document's tokens before they were put in lower case, where that is known.

    Raises:
        ValueError: They are not as many as the tokens.
    """
    return _written(example, "document")


def written_query(example: Example) -> Sequence[str]:
    """The query's, likewise."""
    return _written(example, "query")


def _written(example: Example, text: str) -> Sequence[str]:
    tokens = getattr(example, text)
    words = example.metadata.get(f"written_{text}", tokens)
    if len(words) != len(tokens):
        raise ValueError(
            f"Example {example.id!r}: `metadata` must hold one word a token in "
            f"'written_{text}' ({len(tokens)}). Received: {len(words)}"
        )
    return words
