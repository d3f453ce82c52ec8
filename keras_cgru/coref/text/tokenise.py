"""Tokens of running text, as the Penn Treebank and LAMBADA have them."""

from __future__ import annotations

import re

from keras_cgru.coref.text.straight import straight_text, straight_tokens
from keras_cgru.coref.text.text_sentences import split_paragraphs, split_sentences
from keras_cgru.coref.text.word_tokens import word_tokens

# Behind these the tokeniser would let a mark close that opens.
_OPENING = re.compile(r"""(?<=[-'‘])"(?=\w)""")


def tokenise(text: str) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """Splits running text into sentences and these into tokens.

    The sentences are those of `split_sentences`, the tokens those of nltk's
    `NLTKWordTokenizer`, which needs no data files: punctuation and clitics are tokens
    of their own ("do n't", "'s"), double quotes of any form become `` and '',
    typographic apostrophes and single quotes ' and `, dashes --, ellipses "...".

    Args:
        text: The text; blank lines separate paragraphs, over which no sentence runs.

    Returns:
        The tokens, and the position of each sentence's first.

    Raises:
        ImportError: nltk is not installed; the message says how to install it.
    """
    tokens_of = word_tokens().of
    tokens: list[str] = []
    starts: list[int] = []
    text = _OPENING.sub("“", straight_text(text))
    for paragraph in split_paragraphs(text):
        for sentence in split_sentences(paragraph):
            words = tokens_of(sentence)
            if words:
                starts.append(len(tokens))
                tokens.extend(words)
    return tuple(straight_tokens(tokens)), tuple(starts)
