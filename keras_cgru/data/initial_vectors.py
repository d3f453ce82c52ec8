"""Word ids and the vectors that words begin with."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from keras_cgru.data.embeddings import embedding_matrix, read_glove
from keras_cgru.data.example import Example
from keras_cgru.data.vectors_file import VectorsFile
from keras_cgru.data.vocabulary import Vocabulary

# Word vectors of simulated texts, and of texts without GloVe.
RANDOM_DIM = 50
RANDOM_STDDEV = 0.5


def vocabulary_and_embeddings(
    train: Iterable[Example], vectors: VectorsFile | None, seed: int
) -> tuple[Vocabulary, np.ndarray]:
    """Word ids and initial word vectors.

    The vocabulary is that of the training examples and of the vectors; other words of
    validation and test fall into hashed buckets.

    Args:
        train: The training examples.
        vectors: Pretrained vectors; None draws all of them.
        seed: Of what is drawn.

    Returns:
        The vocabulary, and float32 of shape `(len(vocabulary), dim)`.
    """
    if vectors is not None:
        words, known = read_glove(vectors)
        vocabulary = Vocabulary.build(train, extra_words=words)
        matrix, _ = embedding_matrix(vocabulary, words, known, seed)
        return vocabulary, matrix
    vocabulary = Vocabulary.build(train)
    random = np.random.default_rng(seed)
    shape = (len(vocabulary), RANDOM_DIM)
    return vocabulary, random.normal(scale=RANDOM_STDDEV, size=shape).astype("float32")
