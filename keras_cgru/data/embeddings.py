"""Pretrained word vectors in the text format of GloVe."""

from __future__ import annotations

import gzip
import os
import zlib
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from itertools import islice
from pathlib import Path

import numpy as np

from keras_cgru.data.vocabulary import Vocabulary

# So many lines vote on the dimension.
_VOTERS = 1000


def read_glove(
    path: str | os.PathLike[str], words: Collection[str] | None = None
) -> tuple[list[str], np.ndarray]:
    """Reads word vectors: a word and its numbers a line, parted by single spaces.

    A few words of the official files hold spaces (". . .", "at name@domain.com") or
    are a no-break space. Lines are therefore read from the right, with one dimension
    for the whole file: the one that most of its first lines have.

    Args:
        path: A `.txt` or `.txt.gz` file in UTF-8.
        words: Only these are kept; None keeps all.

    Returns:
        The words in the order of the file, each once (of equal ones the first), and
        their vectors, float32 of shape `(len(words), dimension)`.

    Raises:
        FileNotFoundError: There is no such file.
        ValueError: A line is malformed (the message names file and line), the file
            is empty or a damaged archive.
    """
    dimension = _find_dimension(path)
    wanted = None if words is None else frozenset(words)
    found: dict[str, np.ndarray] = {}
    for number, line in _read_lines(path):
        parts = line.rsplit(b" ", dimension)
        if len(parts) != dimension + 1 or not parts[0]:
            raise ValueError(
                f"{path}:{number}: must hold a word and {dimension} numbers. "
                f"Received: {line[:60]!r}"
            )
        word = _decode(parts[0], path, number)
        if word not in found and (wanted is None or word in wanted):
            found[word] = _to_vector(parts[1:], path, number)
    vectors = np.zeros((len(found), dimension), np.float32)
    if found:
        np.stack(list(found.values()), out=vectors)
    return list(found), vectors


def embedding_matrix(
    vocabulary: Vocabulary, glove_words: Sequence[str], vectors: np.ndarray, seed: int
) -> tuple[np.ndarray, float]:
    """Makes the initial weights of an embedding layer.

    Rows without a pretrained vector, those of the unknown words' buckets included,
    are drawn from the normal distribution that has the mean and standard deviation
    of the given vectors in each dimension. The row of padding is zero.

    Args:
        vocabulary: Says which row is whose.
        glove_words: The words that have a vector.
        vectors: Their vectors, shape `(len(glove_words), dimension)`.
        seed: Seed of the drawn rows.

    Returns:
        float32 matrix of shape `(len(vocabulary), dimension)`, and the coverage: the
        share, 0 to 1, of the vocabulary's words that have a vector.

    Raises:
        ValueError: There are no vectors, or not one for each word.
    """
    if vectors.ndim != 2 or len(vectors) != len(glove_words) or not len(vectors):
        raise ValueError(
            "`vectors` must have shape (len(glove_words), dimension) and hold at "
            f"least one. Received: shape {vectors.shape} for {len(glove_words)} words"
        )
    random = np.random.default_rng(seed)
    matrix = random.normal(
        vectors.mean(axis=0), vectors.std(axis=0), (len(vocabulary), vectors.shape[1])
    ).astype(np.float32)
    matrix[0] = 0.0
    known = [index for index, word in enumerate(glove_words) if word in vocabulary]
    rows = vocabulary.encode([glove_words[index] for index in known])
    matrix[rows] = vectors[known]
    covered = len(set(rows.tolist()))
    return matrix, covered / max(1, len(vocabulary.words))


def _find_dimension(path: str | os.PathLike[str]) -> int:
    counts = Counter(line.count(b" ") for _, line in islice(_read_lines(path), _VOTERS))
    if not counts:
        raise ValueError(f"{path}: must hold a word vector a line. Received: no line")
    # Spaces in a word only add to the count: of equally frequent ones the smallest.
    dimension = min(counts, key=lambda spaces: (-counts[spaces], spaces))
    if dimension < 1:
        raise ValueError(
            f"{path}:1: must hold a word and its numbers, parted by spaces. "
            "Received: lines without a space"
        )
    return dimension


def _read_lines(path: str | os.PathLike[str]) -> Iterator[tuple[int, bytes]]:
    opener = gzip.open if Path(path).suffix == ".gz" else open
    with opener(path, "rb") as file:
        try:
            for number, line in enumerate(file, start=1):
                yield number, line.rstrip(b"\r\n")
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            raise ValueError(f"{path}: must be a whole gzip file: {error}") from error


def _decode(word: bytes, path: str | os.PathLike[str], number: int) -> str:
    try:
        return word.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(
            f"{path}:{number}: must be UTF-8. Received: {word[:60]!r}"
        ) from error


def _to_vector(
    numbers: Sequence[bytes], path: str | os.PathLike[str], number: int
) -> np.ndarray:
    try:
        vector = np.array([float(text) for text in numbers], np.float32)
    except ValueError as error:
        raise ValueError(f"{path}:{number}: must hold numbers. {error}") from error
    if not np.isfinite(vector).all():
        raise ValueError(f"{path}:{number}: must hold finite numbers")
    return vector
