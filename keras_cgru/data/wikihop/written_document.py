"""The supports of a record as one document, in tokens."""

from __future__ import annotations

import zlib
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from keras_cgru.coref.text.tokenise import tokenise
from keras_cgru.data.wikihop.offsets import token_offsets
from keras_cgru.data.wikihop.record_fields import CharacterSpan

# Supports stand in the same order in every run, so that annotations of the texts, which
# are made once, fit them all.
ORDER_SEED = 2018
# A blank line, over which the tokeniser lets no sentence run.
BETWEEN = "\n\n"


@dataclass(frozen=True)
class WrittenDocument:
    """Supports one behind the other, as they are written.

    Args:
        tokens: The tokens, in upper and lower case.
        sentence_starts: The position of each sentence's first token. Every support
            starts a sentence.
        document_starts: The position of each support's first token, rising; supports
            without a token are left out.
        support_order: Which support, by its place in the record, each of these is.
        offsets: The characters of the tokens in their supports: start and end of the
            first, of the second, and so on.
        num_cut: How many tokens behind these were cut off.
    """

    tokens: tuple[str, ...]
    sentence_starts: tuple[int, ...]
    document_starts: tuple[int, ...]
    support_order: tuple[int, ...]
    offsets: array[int]
    num_cut: int = 0

    @classmethod
    def of(
        cls, supports: Sequence[str], id: str, seed: int | None = ORDER_SEED
    ) -> WrittenDocument:
        """Tokenises supports in the order that seed and record decide.

        Args:
            supports: The texts.
            id: The record's.
            seed: See `support_order`; None leaves them in their order.
        """
        order: Sequence[int] = range(len(supports))
        if seed is not None:
            order = support_order(len(supports), id, seed)
        text = join_supports(supports, order)
        tokens, sentence_starts = tokenise(text)
        offsets = token_offsets(text, tokens)
        starts = [start for start, _ in offsets]
        document_starts, kept = [], []
        flat: array[int] = array("i")
        begin = 0
        for support in order:
            end = begin + len(supports[support])
            first, behind = bisect_left(starts, begin), bisect_left(starts, end)
            if first < behind:
                document_starts.append(first)
                kept.append(support)
            for one, other in offsets[first:behind]:
                flat.extend((one - begin, other - begin))
            begin = end + len(BETWEEN)
        return cls(tokens, sentence_starts, tuple(document_starts), tuple(kept), flat)

    def cut(self, max_tokens: int | None) -> WrittenDocument:
        """The first tokens alone, at most `max_tokens`; None keeps all."""
        if max_tokens is None or len(self.tokens) <= max_tokens:
            return self
        num_supports = bisect_left(self.document_starts, max_tokens)
        return replace(
            self,
            tokens=self.tokens[:max_tokens],
            sentence_starts=tuple(s for s in self.sentence_starts if s < max_tokens),
            document_starts=self.document_starts[:num_supports],
            support_order=self.support_order[:num_supports],
            offsets=self.offsets[: 2 * max_tokens],
            num_cut=self.num_cut + len(self.tokens) - max_tokens,
        )

    def place(self, span: CharacterSpan) -> tuple[int, int] | None:
        """The tokens [start, end) that characters of a support touch; None if none."""
        support, start, end = span
        if support not in self.support_order:
            return None
        number = self.support_order.index(support)
        bounds = (*self.document_starts, len(self.tokens))
        low, high = bounds[number], bounds[number + 1]
        first = bisect_right(self.offsets[1::2], start, low, high)
        behind = bisect_left(self.offsets[::2], end, low, high)
        return (first, behind) if first < behind else None


def support_order(num_supports: int, id: str, seed: int = ORDER_SEED) -> list[int]:
    """The order in which supports are read: random, but fixed by seed and record.

    Args:
        num_supports: How many there are.
        id: The record's.
        seed: Of the order, at least 0.
    """
    name = zlib.crc32(id.encode("utf-8"))
    order = np.random.default_rng((seed, name)).permutation(num_supports)
    return list(map(int, order))


def join_supports(supports: Sequence[str], order: Sequence[int]) -> str:
    """The text that is tokenised and annotated."""
    return BETWEEN.join(supports[support] for support in order)
