"""What a trained reader needs of its data set to be asked about other texts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

import numpy as np

from keras_cgru.data.example import Example
from keras_cgru.files import short

Text = str | Sequence[str]
# The words of an answer and its probability.
Scored = tuple[tuple[str, ...], float]


class Asker(Protocol):
    """Makes examples of texts, as those were made that the reader was trained on."""

    def example(self, document: Text, query: Text, id: str = "question") -> Example:
        """An example whose answer is not known: its `answer` is any candidate.

        Args:
            document: A string, which is tokenised, or tokens.
            query: The question, or the sentence whose last word is missing.
            id: The example's name.

        Raises:
            ValueError: A text is no string and no tokens, the document or the query
                has no token, or nothing in the document can be the answer.
        """

    def split_story(self, story: Text) -> tuple[Text, Text]:
        """Document and query of a story whose last word is missing.

        Raises:
            ValueError: The data set has no such stories, or this is one sentence, or
                its last one is finished.
        """

    def answers(self, probabilities: np.ndarray, example: Example) -> list[Scored]:
        """The answers that the reader's output speaks of, in any order.

        Args:
            probabilities: One row of the reader's output.
            example: What it answered.
        """


def tokens_of(
    name: str, text: Text, tokenise: Callable[[str], Sequence[str]]
) -> tuple[str, ...]:
    """The tokens of a string, or those that are given.

    Args:
        name: The argument, which errors name.
        text: A string or tokens.
        tokenise: Cuts a string.

    Raises:
        ValueError: It is neither.
    """
    tokens = tokenise(text) if isinstance(text, str) else text
    if isinstance(tokens, Iterable):
        tokens = tuple(tokens)
        if all(isinstance(token, str) for token in tokens):
            return tokens
    raise ValueError(
        f"`{name}` must be a string, or tokens that are. Received: {short(text)}"
    )
