"""An example as arrays, without padding."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from keras_cgru.data.example import Example
from keras_cgru.data.vocabulary import Vocabulary
from keras_cgru.data.written import written_document, written_query


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
        written_document, written_query: The tokens as they are written, for a reader
            of characters.
    """

    document: np.ndarray
    document_clusters: np.ndarray
    query: np.ndarray
    query_clusters: np.ndarray
    occurrences: np.ndarray
    num_candidates: int
    answer: int
    written_document: Sequence[str] = ()
    written_query: Sequence[str] = ()

    @classmethod
    def from_example(
        cls,
        example: Example,
        vocabulary: Vocabulary,
        apart_from: int | None = None,
        written: bool = False,
    ) -> EncodedExample:
        """Encodes an example with the ids of a vocabulary.

        Args:
            example: The example.
            vocabulary: Gives the word ids.
            apart_from: See `Vocabulary.encode_apart`; None encodes each text alone.
            written: Whether the written tokens are kept.
        """
        texts = example.document, example.query
        if apart_from is None:
            document, query = map(vocabulary.encode, texts)
        else:
            document, query = vocabulary.encode_apart(texts, apart_from)
        pairs = [
            (candidate, position)
            for candidate, positions in enumerate(example.candidate_positions())
            for position in positions
        ]
        return cls(
            document=document,
            document_clusters=np.array(example.document_clusters, np.int32),
            query=query,
            query_clusters=np.array(example.query_clusters, np.int32),
            occurrences=np.array(pairs, np.int32).reshape(-1, 2).T,
            num_candidates=len(example.candidates),
            answer=example.answer_index,
            written_document=written_document(example) if written else (),
            written_query=written_query(example) if written else (),
        )

    def written(self, text: str) -> Sequence[str]:
        """The written tokens of "document" or "query"."""
        return self.written_document if text == "document" else self.written_query
