"""A few fixed shapes for examples of many lengths."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from keras_cgru.data.batch_shape import BatchShape
from keras_cgru.data.example import Example


@dataclass(frozen=True)
class BucketLayout:
    """The shapes to which batches are padded, each at least as large as the last.

    A compiler works once a shape, so few shapes are wanted; padding costs time, so
    one alone is too few. Build the layout over the examples of training and validation,
    which then share their shapes, and give the test's room with `extended`: the lengths
    of test examples should not decide which training examples make up a batch.

    Args:
        shapes: One shape a bucket, in rising order.

    Raises:
        ValueError: There is no shape, or one is smaller than that before it.
    """

    shapes: tuple[BatchShape, ...]

    def __post_init__(self) -> None:
        if not self.shapes:
            raise ValueError("`shapes` must hold at least one shape. Received: none")
        for before, shape in zip(self.shapes, self.shapes[1:], strict=False):
            if not shape.holds(before):
                raise ValueError(
                    f"`shapes` must rise. Received: {tuple(shape)} after "
                    f"{tuple(before)}"
                )

    @classmethod
    def from_examples(
        cls,
        examples: Sequence[Example],
        num_buckets: int = 4,
        multiple: int = 8,
        document_lengths: Sequence[int] | None = None,
    ) -> BucketLayout:
        """Chooses the document lengths that leave the fewest padded tokens.

        Equal quantiles would be simpler, but a few long documents are common: they
        would pull all that are longer than most into one long bucket. The query
        length of a bucket is the largest of its own examples and of all shorter
        buckets'. The number of candidates is one for all, or `predict` could not put
        the scores of batches together. Every length is rounded up to a multiple, that
        of documents on request to one of a list: layouts that are made with the same
        list share shapes.

        Args:
            examples: The examples, of one or more splits.
            num_buckets: At most so many buckets; fewer where there are fewer lengths.
            multiple: All lengths are multiples of it.
            document_lengths: The lengths that documents may be padded to, rising; those
                that are longer than all of them are padded to multiples of the last.
                None allows all multiples.

        Raises:
            ValueError: There are no examples, a number is below 1, or
                `document_lengths` are not rising multiples.
        """
        if not examples:
            raise ValueError("`examples` must hold at least one. Received: none")
        if min(num_buckets, multiple) < 1:
            raise ValueError(
                "`num_buckets` and `multiple` must be at least 1. Received: "
                f"num_buckets={num_buckets}, multiple={multiple}"
            )
        if document_lengths is None:
            document_lengths = (multiple,)
        elif not _rise(document_lengths, multiple):
            raise ValueError(
                f"`document_lengths` must be rising multiples of {multiple}. Received: "
                f"{document_lengths}"
            )
        lengths = np.array([shape_of(example) for example in examples])
        num_candidates = lengths[:, 2].max()
        allowed = _round_up_to(lengths[:, 0], document_lengths)
        shapes = []
        for end in _least_padded_ends(allowed, num_buckets):
            query_length = lengths[lengths[:, 0] <= end, 1].max()
            padded = _round_up(np.array([end, query_length, num_candidates]), multiple)
            shapes.append(BatchShape(*padded.tolist()))
        return cls(tuple(shapes))

    def extended(
        self,
        examples: Sequence[Example],
        multiple: int = 8,
        document_lengths: Sequence[int] | None = None,
    ) -> BucketLayout:
        """The layout with room for more examples.

        Where one of them fits no shape there is one shape more. All shapes get as many
        candidates as any needs.

        Args:
            examples: The examples that must fit.
            multiple, document_lengths: As in `from_examples`.

        Raises:
            ValueError: As in `from_examples`.
        """
        more = BucketLayout.from_examples(examples, 1, multiple, document_lengths)
        last = self.shapes[-1]
        largest = BatchShape(*map(max, last, more.shapes[0]))
        shapes = [
            shape._replace(num_candidates=largest.num_candidates)
            for shape in self.shapes
        ]
        if largest != shapes[-1]:
            shapes.append(largest)
        return BucketLayout(tuple(shapes))

    def with_occurrences(
        self, examples: Sequence[Example], multiple: int = 128
    ) -> BucketLayout:
        """The layout for lists of mentions in place of maps; see `collate`.

        Args:
            examples: All that it is to serve; the list of a bucket is as long as the
                longest of its own examples and of all shorter buckets'.
            multiple: The lists' lengths are multiples of it.

        Raises:
            ValueError: An example fits no bucket.
        """
        most = np.zeros(len(self.shapes), int)
        for example in examples:
            bucket = self.bucket_of(example)
            most[bucket] = max(most[bucket], num_occurrences(example))
        lengths = _round_up(np.maximum.accumulate(most), multiple)
        return BucketLayout(
            tuple(
                shape._replace(num_occurrences=length)
                for shape, length in zip(self.shapes, lengths.tolist(), strict=True)
            )
        )

    def bucket_of(self, example: Example) -> int:
        """The first bucket that holds an example.

        Raises:
            ValueError: None does; the message names the example and its lengths.
        """
        needed = shape_of(example)
        for index, shape in enumerate(self.shapes):
            if shape.holds(needed):
                return index
        raise ValueError(
            f"Example {example.id!r} must fit the largest bucket "
            f"{self.shapes[-1]}. Received: {needed}"
        )


def shape_of(example: Example) -> BatchShape:
    """The lengths of one example without padding."""
    return BatchShape(
        len(example.document), len(example.query), len(example.candidates)
    )


def num_occurrences(example: Example) -> int:
    """How many positions the occurrences of each candidate cover, in all."""
    return sum(map(len, example.candidate_positions()))


def _least_padded_ends(lengths: np.ndarray, num_buckets: int) -> list[int]:
    """Splits lengths into buckets so that the sum of the padded lengths is least.

    Dynamic programming over the distinct lengths: `cost[j]` is the least sum for the
    examples up to length `ends[j]` with one bucket more in every round.

    Args:
        lengths: The length of each example.
        num_buckets: At most so many buckets.

    Returns:
        The largest length of each bucket, rising.
    """
    ends, counts = np.unique(lengths, return_counts=True)
    below = np.concatenate([[0], np.cumsum(counts)])
    # spans[i, j]: the cost of one bucket for all lengths from ends[i] to ends[j].
    spans = ends * (below[None, 1:] - below[:-1, None]).astype(float)
    spans[np.tril_indices(len(ends), -1)] = np.inf
    cost, cuts = spans[0], []
    for _ in range(min(num_buckets, len(ends)) - 1):
        before = np.concatenate([[0.0], cost[:-1]])[:, None] + spans
        cuts.append(before.argmin(axis=0))
        cost = before.min(axis=0)
    chosen, last = [], len(ends) - 1
    for cut in reversed(cuts):
        chosen.append(int(ends[last]))
        last = int(cut[last]) - 1
        if last < 0:
            return chosen[::-1]
    return [int(ends[last]), *chosen[::-1]]


def _round_up(values: np.ndarray, multiple: int) -> np.ndarray:
    # At least one multiple: an array of length 0 is refused by some backends.
    return np.maximum(1, -(-values // multiple)) * multiple


def _rise(values: Sequence[int], multiple: int) -> bool:
    steps = np.diff([0, *values])
    return len(steps) > 0 and bool(np.all((steps > 0) & (steps % multiple == 0)))


def _round_up_to(values: np.ndarray, allowed: Sequence[int]) -> np.ndarray:
    """The least allowed value that is not below; beyond the last, its multiples."""
    known = np.array(allowed)
    places = np.minimum(np.searchsorted(known, values), len(known) - 1)
    return np.where(values <= known[-1], known[places], _round_up(values, known[-1]))
