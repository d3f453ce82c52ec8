"""Random links in place of coreference, as a baseline."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

import numpy as np

from keras_cgru.coref.annotation import Annotation
from keras_cgru.coref.perturb import random_links
from keras_cgru.coref.resolver import Resolver
from keras_cgru.coref.token_clusters import token_clusters


class RandomLinksResolver:
    """Links as many tokens as another resolver does, but any tokens.

    What a reader gains with it, it gains from having links at all, and not from what
    they link.

    Args:
        resolver: The one whose clusters give number and sizes.
        seed: Together with a text it fixes the text's links.
    """

    def __init__(self, resolver: Resolver, seed: int = 2018) -> None:
        self.resolver = resolver
        self.seed = seed

    def resolve(
        self, tokens: Sequence[str], sentence_starts: Sequence[int] | None = None
    ) -> Annotation:
        """Draws the clusters of a text, of mentions of one token."""
        found = self.resolver.resolve(tokens, sentence_starts)
        text = zlib.crc32(" ".join(tokens).encode("utf-8", "surrogatepass"))
        random = np.random.default_rng((self.seed, text))
        clusters: dict[int, list[tuple[int, int]]] = {}
        ids = random_links(token_clusters(found).ids, random)
        for position, cluster in enumerate(ids):
            if cluster:
                clusters.setdefault(cluster, []).append((position, position + 1))
        return Annotation(
            found.tokens, tuple(map(tuple, clusters.values())), found.sentence_starts
        )
