"""The tokens of an example as they are written, which readers of characters want."""

from __future__ import annotations

from collections.abc import Sequence

from keras_cgru.data.example import Example


def written_document(example: Example) -> Sequence[str]:
    """The document's tokens before they were put in lower case, where that is known."""
    return example.metadata.get("written_document", example.document)


def written_query(example: Example) -> Sequence[str]:
    """The query's, likewise."""
    return example.metadata.get("written_query", example.query)
