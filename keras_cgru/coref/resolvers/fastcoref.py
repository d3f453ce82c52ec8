"""Coreference by fastcoref, an optional package."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

from keras_cgru.coref.annotation import Annotation
from keras_cgru.coref.resolver import check_tokens
from keras_cgru.coref.resolvers.foreign import no_tokens
from keras_cgru.coref.tidy_clusters import tidy_clusters

_INSTALL = 'pip install "keras-cgru[fastcoref]"'


class FastCorefResolver:
    """Runs a model of the fastcoref package over pre-split tokens.

    Args:
        model: A model of one's own, such as `fastcoref.LingMessCoref()`: any object
            whose `predict(texts=[tokens], is_split_into_words=True)` returns one
            result a text with `get_clusters(as_strings=False)`. None makes a
            `fastcoref.FCoref`, which downloads weights at its first use.
        name: The model's name or folder, handed to `FCoref` where `model` is None.
        device: "cpu", "cuda", ... for the same; None lets fastcoref choose.

    Attributes:
        num_repeated: How many mentions so far were given twice; one of each is kept.

    Raises:
        ImportError: `model` is None and fastcoref is not installed; the message says
            how to install it.

    Reference:
        Otmazgin, Cattan and Goldberg (2022), "F-coref: Fast, Accurate and Easy to Use
        Coreference Resolution", https://aclanthology.org/2022.aacl-demo.6.
    """

    def __init__(
        self,
        model: Any = None,
        name: str = "biu-nlp/f-coref",
        device: str | None = None,
    ) -> None:
        self.model = _load(name, device) if model is None else model
        self.num_repeated = 0

    def resolve(
        self, tokens: Sequence[str], sentence_starts: Sequence[int] | None = None
    ) -> Annotation:
        """Annotates a text.

        Args:
            tokens: The text.
            sentence_starts: Kept in the annotation; the model does not need them.

        Returns:
            The model's clusters.

        Raises:
            ValueError: The model's spans are no spans of these tokens.
        """
        check_tokens(tokens)
        if not tokens:
            return no_tokens()
        (result,) = self.model.predict(texts=[list(tokens)], is_split_into_words=True)
        # Of pre-split texts these are word positions, the end one behind the last; None
        # stands for a special token of the model's.
        clusters, num_repeated = tidy_clusters(
            [tuple(span) for span in cluster if span is not None]
            for cluster in result.get_clusters(as_strings=False)
        )
        self.num_repeated += num_repeated
        starts = (0,) if sentence_starts is None else tuple(sentence_starts)
        return Annotation(tuple(tokens), clusters, starts)


def _load(name: str, device: str | None) -> Any:
    try:
        from datasets import disable_progress_bars
        from fastcoref import FCoref
    except ImportError as error:
        raise ImportError(
            f"FastCorefResolver needs the package fastcoref. Install it with: "
            f"{_INSTALL} ({error})"
        ) from error
    # It would report each text at length.
    logging.getLogger("fastcoref").setLevel(logging.WARNING)
    disable_progress_bars()
    # No `nlp`: spaCy's model would be another download, and only splits raw text.
    return FCoref(name, device=device, nlp=None, enable_progress_bar=False)
