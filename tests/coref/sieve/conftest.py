"""What tests of the sieve ask: the clusters of a text, as words."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from keras_cgru.coref.sieve import SieveResolver

Clusters = Callable[..., list[list[str]]]


@pytest.fixture(scope="session")
def clusters() -> Clusters:
    """`clusters("text with blanks", **settings)` -> each cluster's mentions."""

    def resolve(text: str, **settings) -> list[list[str]]:
        annotation = SieveResolver(**settings).resolve(text.split())
        return [
            [" ".join(annotation.tokens[start:end]) for start, end in cluster]
            for cluster in annotation.clusters
        ]

    return resolve
