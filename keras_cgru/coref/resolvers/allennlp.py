"""Coreference by a predictor of AllenNLP that the user has loaded."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from keras_cgru.coref.annotation import Annotation
from keras_cgru.coref.resolver import check_tokens
from keras_cgru.coref.resolvers.foreign import move_onto, no_tokens
from keras_cgru.coref.tidy_clusters import tidy_clusters


class AllenNLPResolver:
    """Wraps a coreference predictor of `allennlp_models`.

    AllenNLP itself needs an old Python and an old PyTorch, so nothing is imported:
    load the predictor as its documentation says, and hand it over.

    Args:
        predictor: An object with `predict_tokenized(tokens)` that returns AllenNLP's
            dictionary: `document`, the tokens, and `clusters` of [first, last] pairs
            whose second position is inclusive.

    Attributes:
        num_unplaced: How many mentions so far had no place in the tokens.
        num_repeated: How many mentions so far were given twice; one of each is kept.

    Raises:
        TypeError: `predictor` has no `predict_tokenized`.

    Reference:
        `allennlp_models/coref/predictors/coref.py`, version 2.10.
    """

    def __init__(self, predictor: Any) -> None:
        if not callable(getattr(predictor, "predict_tokenized", None)):
            raise TypeError(
                "`predictor` must be a coreference predictor, with "
                f"`predict_tokenized`. Received: {type(predictor).__name__}"
            )
        self.predictor = predictor
        self.num_unplaced = self.num_repeated = 0

    def resolve(
        self, tokens: Sequence[str], sentence_starts: Sequence[int] | None = None
    ) -> Annotation:
        """Annotates a text.

        Args:
            tokens: The text.
            sentence_starts: Kept in the annotation; the predictor finds its own.

        Returns:
            The predictor's clusters over `tokens`.

        Raises:
            ValueError: The prediction lacks a field, or is of another text.
        """
        check_tokens(tokens)
        if not tokens:
            return no_tokens()
        prediction = self.predictor.predict_tokenized(list(tokens))
        missing = {"document", "clusters"} - set(prediction)
        if missing:
            raise ValueError(
                f"the prediction must have {sorted(missing)}. "
                f"Received: {sorted(prediction)}"
            )
        clusters, num_repeated = tidy_clusters(
            [(first, last + 1) for first, last in cluster]
            for cluster in prediction["clusters"]
        )
        found = Annotation(tuple(prediction["document"]), clusters)
        starts = (0,) if sentence_starts is None else sentence_starts
        annotation, unplaced = move_onto(found, tokens, starts, "the predictor")
        self.num_unplaced += unplaced
        self.num_repeated += num_repeated
        return annotation
