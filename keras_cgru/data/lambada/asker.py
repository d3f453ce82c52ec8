"""Asking a LAMBADA reader about a text of one's own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from keras_cgru.coref import ExactMatchResolver, RandomLinksResolver, Resolver
from keras_cgru.coref.sieve import LINKS, SieveResolver
from keras_cgru.coref.text.tokenise import tokenise
from keras_cgru.data.asker import Scored, Text, tokens_of
from keras_cgru.data.clusters import with_clusters
from keras_cgru.data.example import Example
from keras_cgru.data.lambada.last_sentence import last_sentence_start
from keras_cgru.data.lambada.passages import NUM_CLUSTERS, candidate_words
from keras_cgru.data.read_result import ReadResult


@dataclass(frozen=True)
class LambadaAsker:
    """Reads stories as LAMBADA's passages are read.

    Args:
        resolver: Finds the clusters of document and query.
        num_clusters: At most so many.
    """

    resolver: Resolver
    num_clusters: int = NUM_CLUSTERS

    @classmethod
    def of_config(
        cls, config: Mapping[str, Any], resolver: Resolver | None = None
    ) -> LambadaAsker:
        """As a run's `config.json` has it.

        Args:
            config: Its content.
            resolver: In place of the run's own. A run on simulated stories knew their
                clusters, pronouns included: by default a sieve stands in.

        Raises:
            ValueError: The run took its clusters from files, so there is no resolver;
                or the config is not that of such a run.
        """
        settings = config.get("settings")
        if not isinstance(settings, Mapping) or "num_clusters" not in settings:
            raise ValueError('must have "settings" with "num_clusters"')
        if resolver is None and settings.get("annotations"):
            raise ValueError(
                "`resolver` must be given for a run whose clusters came from "
                f"annotations. Received: None for {list(settings['annotations'])}"
            )
        if resolver is None:
            data = config.get("data")
            simulated = isinstance(data, Mapping) and data.get("kind") == "simulated"
            resolver = SieveResolver() if simulated else resolver_of(settings)
        return cls(resolver, settings["num_clusters"])

    def example(self, document: Text, query: Text, id: str = "question") -> Example:
        words = tokens_of("document", document, _tokenise)
        asked = tokens_of("query", query, _tokenise)
        candidates = candidate_words(words)
        if not words:
            raise ValueError("`document` must hold a word. Received: an empty text")
        if not asked:
            raise ValueError("`query` must hold a word. Received: an empty text")
        if not candidates:
            raise ValueError(
                "`document` must hold a word that can be the answer, one that is on "
                f"no stop list. Received: {' '.join(words)!r:.80}"
            )
        example = Example(id, words, asked, candidates, candidates[0])
        result = ReadResult((example,), 1, {}, id)
        found = with_clusters(result, self.resolver, self.num_clusters)
        return found.examples[0]

    def split_story(self, story: Text) -> tuple[Text, Text]:
        tokens = tokens_of("story", story, _tokenise)
        # The word that is missing keeps the last sentence from being the document's.
        start = last_sentence_start((*tokens, "word"))
        if not 0 < start < len(tokens):
            raise ValueError(
                "`story` must be sentences and the beginning of another. Received: "
                f"{' '.join(tokens)!r:.80}"
            )
        return tokens[:start], tokens[start:]

    def answers(self, probabilities: np.ndarray, example: Example) -> list[Scored]:
        shares = probabilities[: len(example.candidates)].tolist()
        return list(zip(example.candidates, shares, strict=True))


def resolver_of(settings: Mapping[str, Any]) -> Resolver:
    """The resolver that a run's settings name.

    Args:
        settings: With `resolver`, "exact", "sieve" or "random", and `links`. Those of
            the first versions, which had the first alone, have neither.
    """
    name = settings.get("resolver", "exact")
    if name == "sieve":
        return SieveResolver(tuple(settings.get("links", LINKS)))
    exact = ExactMatchResolver()
    return RandomLinksResolver(exact) if name == "random" else exact


def _tokenise(text: str) -> tuple[str, ...]:
    # The official files are in lower case.
    return tuple(token.lower() for token in tokenise(text)[0])
