"""A text with all that the sieve's parts look up by token."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from keras_cgru.coref.sieve.guess_tags import guess_tags
from keras_cgru.coref.sieve.names import find_names
from keras_cgru.coref.sieve.quotes import Quote, find_quotes
from keras_cgru.coref.sieve.tagger import codes_of_tags
from keras_cgru.coref.text import find_sentence_starts


@dataclass(slots=True)
class Text:
    """Tokens and what was found out about each.

    Args:
        tokens: As they came.
        words: Lower-cased.
        codes: The class of each word, a letter (`closed_words`).
        starts: Where sentences start.
        sentence_of: The index of each token's sentence.
        quotes: Quoted speech.
        quote_of: The index of each token's quotation, -1 for none.
    """

    tokens: Sequence[str]
    words: list[str]
    codes: list[str]
    starts: Sequence[int]
    sentence_of: list[int]
    quotes: list[Quote]
    quote_of: list[int]


def read_text(
    tokens: Sequence[str],
    starts: Sequence[int] | None,
    tagger: Callable[[list[str]], Sequence[str]] | None,
) -> Text:
    """Finds sentences, quotations and word classes.

    Args:
        tokens: The text.
        starts: Where sentences start; found here when None.
        tagger: Gives Penn Treebank tags; without one, classes are guessed.
    """
    # An empty token has no first character to look at.
    tokens = [token or "_" for token in tokens]
    words = [token.lower() for token in tokens]
    if starts is None:
        starts = find_sentence_starts(tokens)
    # "I" keeps its capital in some lower-cased texts.
    cased = any(token[0].isupper() and token != "I" for token in tokens)
    codes: list[str]
    names = find_names(tokens, words, starts, cased)
    if tagger is None:
        codes = guess_tags(words, names)
    else:
        codes = codes_of_tags(tokens, words, starts, tagger, names)
    quotes = find_quotes(tokens)
    quote_of = [-1] * len(tokens)
    for number, quote in enumerate(quotes):
        quote_of[quote.start : quote.end] = [number] * (quote.end - quote.start)
    return Text(
        tokens,
        words,
        codes,
        starts,
        _sentence_of(starts, len(tokens)),
        quotes,
        quote_of,
    )


def _sentence_of(starts: Sequence[int], count: int) -> list[int]:
    numbers: list[int] = []
    for number, start in enumerate(starts):
        end = starts[number + 1] if number + 1 < len(starts) else count
        numbers.extend([number] * (end - start))
    return numbers
