"""Pads encoded examples to the arrays of one batch."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from keras_cgru.data.batch_shape import BatchShape
from keras_cgru.data.encoded_example import EncodedExample


def collate(
    examples: Sequence[EncodedExample], shape: BatchShape
) -> tuple[dict[str, np.ndarray], np.ndarray]:
    """Makes the inputs and the answers of one batch.

    Args:
        examples: The examples, at least one, none larger than `shape`.
        shape: What to pad to, on the right.

    Returns:
        The inputs by name and the answers, int32 of shape `(batch,)`. Inputs are
        `document`, `document_clusters` int32 and `document_mask` bool, all
        `(batch, document_length)`; the same three of `query`; `candidate_positions`
        bool `(batch, num_candidates, document_length)`, true where a document token
        belongs to an occurrence of the candidate; `candidate_mask` bool
        `(batch, num_candidates)`. With a shape that has `num_occurrences`, in place of
        `candidate_positions` the list `candidate_occurrences`, int32
        `(batch, num_occurrences, 2)`: a candidate and a position that an occurrence of
        it covers, -1 at padding.
    """
    document_mask = _mask([len(each.document) for each in examples], shape[0])
    query_mask = _mask([len(each.query) for each in examples], shape[1])
    inputs = {
        "document": _fill(document_mask, [each.document for each in examples]),
        "document_mask": document_mask,
        "document_clusters": _fill(
            document_mask, [each.document_clusters for each in examples]
        ),
        "query": _fill(query_mask, [each.query for each in examples]),
        "query_mask": query_mask,
        "query_clusters": _fill(query_mask, [each.query_clusters for each in examples]),
        "candidate_mask": _mask([each.num_candidates for each in examples], shape[2]),
    }
    if shape.num_occurrences:
        inputs["candidate_occurrences"] = _occurrences(examples, shape)
    else:
        inputs["candidate_positions"] = _candidate_positions(examples, shape)
    return inputs, np.array([each.answer for each in examples], np.int32)


def _mask(lengths: Sequence[int], padded: int) -> np.ndarray:
    return np.arange(padded) < np.array(lengths)[:, None]


def _fill(mask: np.ndarray, rows: Sequence[np.ndarray]) -> np.ndarray:
    padded = np.zeros(mask.shape, np.int32)
    padded[mask] = np.concatenate(rows)
    return padded


def _candidate_positions(
    examples: Sequence[EncodedExample], shape: BatchShape
) -> np.ndarray:
    positions = np.zeros(
        (len(examples), shape.num_candidates, shape.document_length), bool
    )
    counts = [each.occurrences.shape[1] for each in examples]
    rows = np.repeat(np.arange(len(examples)), counts)
    candidates, tokens = np.concatenate([each.occurrences for each in examples], axis=1)
    positions[rows, candidates, tokens] = True
    return positions


def _occurrences(examples: Sequence[EncodedExample], shape: BatchShape) -> np.ndarray:
    padded = np.full((len(examples), shape.num_occurrences, 2), -1, np.int32)
    for row, example in zip(padded, examples, strict=True):
        row[: example.occurrences.shape[1]] = example.occurrences.T
    return padded
