"""Coreference by a pipeline of stanza that the user has loaded."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Any

from keras_cgru.coref.annotation import Annotation
from keras_cgru.coref.resolvers.foreign import move_onto, no_tokens, split_at


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
        num_unplaced: How many mentions so far had no place in the tokens.

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
        self.num_unplaced = 0

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
        if not tokens:
            return no_tokens()
        document = self.pipeline(split_at(tokens, sentence_starts))
        chains = getattr(document, "coref", None)
        if chains is None:
            raise ValueError(
                "`pipeline` must have the processor coref. Received: a document "
                "without `coref`"
            )
        words = [[word.text for word in s.words] for s in document.sentences]
        offsets = [0, *accumulate(len(sentence) for sentence in words)]
        clusters = {
            tuple(
                sorted(
                    {
                        (
                            offsets[mention.sentence] + mention.start_word,
                            offsets[mention.sentence] + mention.end_word,
                        )
                        for mention in chain.mentions
                    }
                )
            )
            for chain in chains
        }
        found = Annotation(
            tuple(word for sentence in words for word in sentence),
            tuple(clusters),
            tuple(offset for offset in sorted(set(offsets)) if offset < offsets[-1]),
        )
        annotation, unplaced = move_onto(found, tokens, sentence_starts, "the pipeline")
        self.num_unplaced += unplaced
        return annotation
