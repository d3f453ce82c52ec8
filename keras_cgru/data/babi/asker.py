"""Asking a bAbI reader about a story of one's own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

import numpy as np

from keras_cgru.coref import Resolver, singular
from keras_cgru.coref.sieve import SieveResolver
from keras_cgru.coref.text.marks import TERMINAL
from keras_cgru.data.asker import Scored, Text, tokens_of
from keras_cgru.data.babi.entities import entity_clusters
from keras_cgru.data.babi.examples import story_candidates
from keras_cgru.data.babi.questions import tokenise_babi
from keras_cgru.data.babi.task import Head, decode_places
from keras_cgru.data.clusters import with_clusters
from keras_cgru.data.example import Example
from keras_cgru.data.read_result import ReadResult
from keras_cgru.files import short


@dataclass(frozen=True)
class BabiAsker:
    """Reads stories and questions as those of a task are read.

    Args:
        head, classes, answer_words: See `BabiTask`.
        entities: The words that form clusters.
        by_word: Whether a softmax head gives an answer word by word.
        normalise: Whether inflected words are read as one.
        resolver: Links mentions in place of the entity words; None for these.
        num_clusters: At most so many clusters of the resolver.
        random_links, dropped_mentions: See `keras_cgru.data.with_clusters`.
    """

    head: Head
    classes: tuple[tuple[str, ...], ...]
    answer_words: tuple[str, ...]
    entities: frozenset[str]
    by_word: bool
    normalise: bool
    resolver: Resolver | None = None
    num_clusters: int | None = None
    random_links: bool = False
    dropped_mentions: float = 0.0

    def to_dict(self) -> dict[str, Any]:
        """For JSON; `from_dict` makes the same of it."""
        return asdict(self) | {
            "entities": sorted(self.entities),
            "resolver": "entities" if self.resolver is None else "sieve",
        }

    @classmethod
    def from_dict(
        cls, kept: Mapping[str, Any], resolver: Resolver | None = None
    ) -> BabiAsker:
        """Of what `to_dict` gave; `resolver` takes the place of the one kept there.

        Raises:
            ValueError: Something is missing, or there is more: another version's.
        """
        names = {field.name for field in fields(cls)}
        if not isinstance(kept, Mapping) or set(kept) != names:
            raise ValueError(
                f"must be an object of {', '.join(sorted(names))}. Received: "
                f"{short(sorted(kept) if isinstance(kept, Mapping) else kept)}"
            )
        if resolver is None and kept["resolver"] == "sieve":
            resolver = SieveResolver()
        return cls(
            **{
                **kept,
                "classes": tuple(map(tuple, kept["classes"])),
                "answer_words": tuple(kept["answer_words"]),
                "entities": frozenset(kept["entities"]),
                "resolver": resolver,
            }
        )

    def example(self, document: Text, query: Text, id: str = "question") -> Example:
        words = self._tokens("document", document)
        asked = self._tokens("query", query)
        if not words:
            raise ValueError("`document` must hold a word. Received: an empty text")
        if not asked:
            raise ValueError("`query` must hold a word. Received: an empty text")
        candidates = self._candidates(words)
        document_ids, query_ids = entity_clusters(
            words, asked, self.entities, self._normalised()
        )
        starts = [n + 1 for n, word in enumerate(words) if TERMINAL.fullmatch(word)]
        example = Example(
            id,
            words,
            asked,
            candidates,
            candidates[0],
            document_ids,
            query_ids,
            {"sentence_starts": [0, *(n for n in starts if n < len(words))]},
        )
        found = with_clusters(
            ReadResult((example,), 1, {}, id),
            self.resolver,
            self.num_clusters,
            self.random_links,
            self.dropped_mentions,
        )
        return found.examples[0]

    def split_story(self, story: Text) -> tuple[Text, Text]:
        raise ValueError(
            "`query` must be given: a bAbI reader answers questions and completes no "
            "stories. Received: None"
        )

    def answers(self, probabilities: np.ndarray, example: Example) -> list[Scored]:
        if self.head == "attention_sum" or not self.by_word:
            shares = probabilities[: len(example.candidates)].tolist()
            return list(zip(example.candidates, shares, strict=False))
        if len(probabilities) == 1:
            shares = probabilities[0, 1:].tolist()
            pairs = zip(self.answer_words, shares, strict=True)
            return [((word,), share) for word, share in pairs]
        # Of lists there are too many: the one that is read off, place by place.
        words, probability = decode_places(probabilities, self.answer_words)
        return [(words, probability)] if words else []

    def _candidates(self, words: Sequence[str]) -> tuple[tuple[str, ...], ...]:
        if self.head == "softmax":
            return self.classes
        candidates = story_candidates(words, {answer[0] for answer in self.classes})
        if not candidates:
            raise ValueError(
                "`document` must hold one of the words that were answers in training: "
                f"{', '.join(self.answer_words)}. Received: {' '.join(words)!r:.80}"
            )
        return candidates

    def _normalised(self) -> Callable[[str], str] | None:
        return singular if self.normalise else None

    def _tokens(self, name: str, text: Text) -> tuple[str, ...]:
        tokens = tokens_of(name, text, tokenise_babi)
        return tuple(map(singular, tokens)) if self.normalise else tokens
