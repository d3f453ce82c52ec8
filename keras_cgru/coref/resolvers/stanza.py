"""Coreference by a pipeline of stanza that the user has loaded."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from operator import index
from typing import Any

from keras_cgru.coref.annotation import Annotation, Span
from keras_cgru.coref.resolver import check_tokens
from keras_cgru.coref.resolvers.foreign import move_onto, no_tokens, split_at
from keras_cgru.coref.tidy_clusters import tidy_clusters


class StanzaResolver:
    """Wraps a stanza pipeline with the processors `tokenize` and `coref`.

    The pipeline must take tokenised text: `stanza.Pipeline("en",
    processors="tokenize,coref", tokenize_pretokenized=True)`. Nothing of stanza is
    imported here.

    Args:
        pipeline: A callable that takes a list of sentences, each a list of tokens, and
            returns stanza's document: `sentences` with `words` with `text`, and
            `coref`, chains of `mentions` with `sentence`, `start_word` and `end_word`,
            the end one behind the last word.

    Attributes:
        num_unplaced: How many mentions so far had no place in the tokens, zeros (what
            is meant and not said) among them.
        num_repeated: How many mentions so far were given twice; one of each is kept.

    Raises:
        TypeError: `pipeline` cannot be called.
        ValueError: `pipeline` says that it would tokenise the text anew.

    Reference:
        `stanza/pipeline/coref_processor.py`.
    """

    def __init__(self, pipeline: Any) -> None:
        if not callable(pipeline):
            raise TypeError(
                "`pipeline` must be a stanza pipeline. "
                f"Received: {type(pipeline).__name__}"
            )
        config = getattr(pipeline, "config", None) or {}
        if config.get("tokenize_pretokenized") is False:
            raise ValueError(
                "`pipeline` must be made with tokenize_pretokenized=True. "
                "Received: tokenize_pretokenized=False"
            )
        self.pipeline = pipeline
        self.num_unplaced = self.num_repeated = 0

    def resolve(
        self, tokens: Sequence[str], sentence_starts: Sequence[int] | None = None
    ) -> Annotation:
        """Annotates a text.

        Args:
            tokens: The text.
            sentence_starts: Its sentences; None makes it one sentence, which costs
                quality.

        Returns:
            The pipeline's clusters over `tokens`.

        Raises:
            ValueError: The pipeline has no coreference processor, or annotated
                another text.
        """
        check_tokens(tokens)
        if not tokens:
            return no_tokens()
        document = self.pipeline(split_at(tokens, sentence_starts))
        chains = getattr(document, "coref", None)
        if chains is None:
            raise ValueError(
                "`pipeline` must have the processor coref. Received: a document "
                "without `coref`"
            )
        split = [_tokens_of_words(sentence) for sentence in document.sentences]
        offsets = [0, *accumulate(len(texts) for texts, _ in split)]
        spans = [
            [
                _span(mention, offsets[mention.sentence], split[mention.sentence][1])
                for mention in chain.mentions
            ]
            for chain in chains
        ]
        clusters, num_repeated = tidy_clusters(
            [span for span in cluster if span is not None] for cluster in spans
        )
        found = Annotation(
            tuple(text for texts, _ in split for text in texts),
            clusters,
            tuple(offset for offset in sorted(set(offsets)) if offset < offsets[-1]),
        )
        annotation, unplaced = move_onto(found, tokens, sentence_starts, "the pipeline")
        self.num_unplaced += unplaced + sum(each.count(None) for each in spans)
        self.num_repeated += num_repeated
        return annotation


def _tokens_of_words(sentence: Any) -> tuple[list[str], list[int]]:
    """The texts of a sentence's tokens, and the token of each of its words.

    A token such as "don't" may be split into words that its text does not show. Where
    tokens are not told, each word is one.
    """
    texts = [word.text for word in sentence.words]
    tokens = getattr(sentence, "tokens", None) or []
    counts = [len(getattr(token, "words", ())) for token in tokens]
    if sum(counts) != len(texts):
        return texts, list(range(len(texts)))
    places = [place for place, count in enumerate(counts) for _ in range(count)]
    return [token.text for token in tokens], places


def _span(mention: Any, offset: int, places: list[int]) -> Span | None:
    """The tokens of a mention; None for one without words.

    A zero, a subject that is not said, has a pair for an index: the word that it
    follows, and its number among the zeros there.
    """
    try:
        start, end = index(mention.start_word), index(mention.end_word)
    except TypeError:
        return None
    if not 0 <= start < end <= len(places):
        raise ValueError(
            f"a mention must have words from 0 to {len(places)} of its sentence, the "
            f"end one behind. Received: {start} to {end}"
        )
    return offset + places[start], offset + places[end - 1] + 1
