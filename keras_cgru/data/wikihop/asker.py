"""Asking a WikiHop reader about texts of one's own."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from keras_cgru.coref import ExactMatchResolver, Resolver
from keras_cgru.coref.sieve import LINKS, SieveResolver
from keras_cgru.coref.text.stop_words import STOP_WORDS
from keras_cgru.coref.text.tokenise import tokenise
from keras_cgru.data.asker import Scored, Text, tokens_of
from keras_cgru.data.example import Example
from keras_cgru.data.official import SIMULATED
from keras_cgru.data.unusable_passage import UnusablePassage
from keras_cgru.data.wikihop.record import WikiHopRecord
from keras_cgru.data.wikihop.record_reader import RecordReader

_BLANK_LINE = re.compile(r"\n\s*\n")


@dataclass(frozen=True)
class WikiHopAsker:
    """Reads texts as WikiHop's records are read, but in their own order.

    Args:
        reader: How records became the examples that the reader was trained on; its
            `order_seed` is None.
    """

    reader: RecordReader

    @classmethod
    def of_config(
        cls, config: Mapping[str, Any], resolver: Resolver | None = None
    ) -> WikiHopAsker:
        """As a run's `config.json` has it.

        Args:
            config: Its content: `data.reading` is what `WikiHopSplits.provenance` says,
                `settings.resolver` "sieve" or "exact".
            resolver: In place of the run's own. A run on simulated records knew their
                clusters: by default a sieve stands in.

        Raises:
            ValueError: The run took its clusters from files, so there is no resolver;
                or the config is not that of such a run.
        """
        data, settings = config.get("data"), config.get("settings")
        reading = data.get("reading") if isinstance(data, Mapping) else None
        if not isinstance(reading, Mapping) or not isinstance(settings, Mapping):
            raise ValueError('must have "settings", and "reading" of its "data"')
        if resolver is None and settings.get("annotations"):
            raise ValueError(
                "`resolver` must be given for a run whose clusters came from "
                f"annotations. Received: None for {settings['annotations']!r:.80}"
            )
        known = {**reading, "order_seed": None}
        assert isinstance(data, Mapping)  # It has "reading".
        if data.get("kind") == SIMULATED and known.get("near_head") is None:
            known["near_head"] = "anywhere"  # As in training: the chains are long.
        return cls(RecordReader(resolver=resolver or resolver_of(settings), **known))

    def example(
        self,
        document: Text,
        query: Text,
        id: str = "question",
        candidates: Iterable[str] | None = None,
    ) -> Example:
        """An example whose answer is not known: its `answer` is any candidate.

        Args:
            document: A string, in which blank lines separate several documents; or one
                document's tokens; or documents, strings of which one has a space.
            query: The relation and the entity, "country_of_citizenship mary king"; or
                the tokens of these.
            id: The example's name.
            candidates: The possible answers; None takes the names that the documents
                hold, runs of words in capitals but for stop words.

        Raises:
            ValueError: A text is no string and no tokens, the documents or the query
                have no token, or no candidate stands in the documents.
        """
        supports = _supports_of(document)
        asked = tokens_of("query", query, str.split)
        if not any(map(str.strip, supports)):
            raise ValueError("`document` must hold a word. Received: an empty text")
        if not any(map(str.strip, asked)):
            raise ValueError("`query` must hold a relation. Received: an empty text")
        names = _names_in(supports) if candidates is None else tuple(candidates)
        for name in names:
            record = WikiHopRecord(id, " ".join(asked), name, names, supports)
            try:
                return self.reader.read(record).example
            except UnusablePassage:
                continue
        raise ValueError(
            "`document` must hold a candidate; without `candidates` they are names. "
            f"Received: {' '.join(supports)!r:.80} and {names!r:.80}"
        )

    def split_story(self, story: Text) -> tuple[Text, Text]:
        raise ValueError(
            "a question must come with the document: a reader of WikiHop completes no "
            f"stories. Received: {story!r:.80} alone"
        )

    def answers(self, probabilities: np.ndarray, example: Example) -> list[Scored]:
        shares = probabilities[: len(example.candidates)].tolist()
        return list(zip(example.candidates, shares, strict=True))


def resolver_of(settings: Mapping[str, Any]) -> Resolver:
    """The resolver that a run's settings name.

    Args:
        settings: With `resolver`, "sieve" or "exact", and `links` of a sieve.
    """
    if settings.get("resolver", "sieve") == "exact":
        return ExactMatchResolver(normalise=str.lower)
    return SieveResolver(tuple(settings.get("links", LINKS)))


def _supports_of(document: Text) -> tuple[str, ...]:
    parts = tokens_of("document", document, _BLANK_LINE.split)
    if isinstance(document, str) or any(" " in part.strip() for part in parts):
        return parts
    return (" ".join(parts),)


def _names_in(supports: Sequence[str]) -> tuple[str, ...]:
    """Runs of words in capitals, each once; a text without any gives its words."""
    names: dict[str, None] = {}
    words: dict[str, None] = {}
    for support in supports:
        run: list[str] = []
        for token in (*tokenise(support)[0], "."):
            is_word = token[:1].isalnum() and token.lower() not in STOP_WORDS
            if is_word:
                words[token] = None
            if is_word and token[:1].isupper():
                run.append(token)
            elif run:
                names[" ".join(run)] = None
                run = []
    return tuple(names or words)
