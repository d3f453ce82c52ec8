"""Tokens of running text, as the Penn Treebank and LAMBADA have them."""

from __future__ import annotations

from functools import cache
from typing import Any

from keras_cgru.coref.text.text_sentences import split_paragraphs, split_sentences

_INSTALL = 'pip install "keras-cgru[recipes]"'


def tokenise(text: str) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """Splits running text into sentences and these into tokens.

    The sentences are those of `split_sentences`, the tokens those of nltk's
    `NLTKWordTokenizer`, which needs no data files: punctuation and clitics are tokens
    of their own ("do n't", "'s"), straight double quotes become `` and ''.

    Args:
        text: The text; blank lines separate paragraphs, over which no sentence runs.

    Returns:
        The tokens, and the position of each sentence's first.

    Raises:
        ImportError: nltk is not installed; the message says how to install it.
    """
    tokeniser = _tokeniser()
    tokens: list[str] = []
    starts: list[int] = []
    for paragraph in split_paragraphs(text):
        for sentence in split_sentences(paragraph):
            # The tokeniser takes some rarer spaces for part of a word.
            words = tokeniser.tokenize(" ".join(sentence.split()))
            if words:
                starts.append(len(tokens))
                tokens.extend(words)
    return tuple(tokens), tuple(starts)


@cache
def _tokeniser() -> Any:
    try:
        from nltk.tokenize import NLTKWordTokenizer
    except ImportError as error:
        raise ImportError(
            f"running text is tokenised with nltk. Install it with: {_INSTALL} "
            f"({error})"
        ) from error
    return NLTKWordTokenizer()
