"""An example as arrays, without padding."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from keras_cgru.data.example import Example
from keras_cgru.data.vocabulary import Vocabulary


@dataclass(frozen=True)
class EncodedExample:
    """The arrays of one example.

    Args:
        document: Word ids, int32 of shape `(document_length,)`.
        document_clusters: Cluster ids, int32 of the same shape.
        query: Word ids, int32 of shape `(query_length,)`.
        query_clusters: Cluster ids, int32 of the same shape.
        occurrences: int32 of shape `(2, num_occurrences)`: the candidates and, below,
            the document positions that they cover.
        num_candidates: Number of candidates.
        answer: Position of the answer among the candidates.
    """

    document: np.ndarray
    document_clusters: np.ndarray
    query: np.ndarray
    query_clusters: np.ndarray
    occurrences: np.ndarray
    num_candidates: int
    answer: int

    @classmethod
    def from_example(cls, example: Example, vocabulary: Vocabulary) -> EncodedExample:
        """Encodes an example with the ids of a vocabulary."""
        pairs = [
            (candidate, position)
            for candidate, positions in enumerate(example.candidate_positions())
            for position in positions
        ]
        return cls(
            document=vocabulary.encode(example.document),
            document_clusters=np.array(example.document_clusters, np.int32),
            query=vocabulary.encode(example.query),
            query_clusters=np.array(example.query_clusters, np.int32),
            occurrences=np.array(pairs, np.int32).reshape(-1, 2).T,
            num_candidates=len(example.candidates),
            answer=example.answer_index,
        )
