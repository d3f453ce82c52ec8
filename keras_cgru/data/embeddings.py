"""Pretrained word vectors in the text format of GloVe."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Collection, Sequence
from itertools import islice

import numpy as np

from keras_cgru.data.vectors_file import VectorsFile
from keras_cgru.data.vocabulary import Vocabulary
from keras_cgru.files import short

# So many lines vote on the dimension.
_VOTERS = 1000
_ENDS = re.compile(rb" [-+]?\d*\.?\d+(?:[eE][-+]?\d+)?$")
_HEADER = re.compile(rb"(\d{1,18}) (\d{1,9}) ?")


def read_glove(
    path: str | os.PathLike[str] | VectorsFile, words: Collection[str] | None = None
) -> tuple[list[str], np.ndarray]:
    """Reads word vectors: a word and its numbers a line, parted by single spaces.

    A few words of the official files hold spaces (". . .", "at name@domain.com") or
    are a no-break space. Lines are therefore read from the right, with one dimension
    for the whole file: the one that most of its first lines have. A first line of two
    whole numbers, how many vectors of which dimension, is checked and left out.

    Only the vectors that are kept take memory.

    Args:
        path: A text file in UTF-8, as it is or compressed by gzip or zip; of several
            texts in an archive that of the fewest dimensions is read.
        words: Only these are kept; None keeps all.

    Returns:
        The words in the order of the file, each once (of equal ones the first), and
        their vectors, float32 of shape `(len(words), dimension)`.

    Raises:
        FileNotFoundError: There is no such file.
        ValueError: A line is malformed (the message names file and line), the file
            is empty, cut or a damaged archive.
    """
    file = path if isinstance(path, VectorsFile) else VectorsFile.of(path)
    dimension = _find_dimension(file)
    wanted = None if words is None else frozenset(words)
    found: dict[str, None] = {}
    numbers = bytearray()
    promised, number = None, 0
    for number, line in file.lines():
        parts = _parts(line, dimension)
        if number == 1 and (promised := _header(line, dimension)) is not None:
            continue
        # A word may hold spaces, but none ends in a number: that is one too many.
        if len(parts) != dimension + 1 or not parts[0] or _ENDS.search(parts[0]):
            raise ValueError(
                f"{file.path}:{number}: must hold a word and {dimension} numbers. "
                f"Received: {line[:60]!r}"
            )
        word = _decode(parts[0], file.path, number)
        if word not in found and (wanted is None or word in wanted):
            numbers += _to_vector(parts[1:], file.path, number).tobytes()
            found[word] = None
    if promised is not None and promised != number - 1:
        raise ValueError(
            f"{file.path}:1: must be followed by {promised:,} vectors. Received: "
            f"{number - 1:,}"
        )
    return list(found), np.frombuffer(numbers, np.float32).reshape(-1, dimension)


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


def _find_dimension(file: VectorsFile) -> int:
    lines = [line.rstrip(b" ") for _, line in islice(file.lines(), _VOTERS)]
    counts = Counter(line.count(b" ") for line in lines)
    if not counts:
        raise ValueError(
            f"{file.path}: must hold a word vector a line. Received: no line"
        )
    if len(lines) > 1 and _header(lines[0]) is not None:
        counts[1] -= 1
    # Spaces in a word only add to the count: of equally frequent ones the smallest.
    dimension = min(counts, key=lambda spaces: (-counts[spaces], spaces))
    if dimension < 1:
        raise ValueError(
            f"{file.path}:1: must hold a word and its numbers, parted by spaces. "
            "Received: lines without a space"
        )
    return dimension


def _header(line: bytes, dimension: int | None = None) -> int | None:
    """The number of vectors where a line is "400000 300", as word2vec writes it."""
    match = _HEADER.fullmatch(line)
    if match is None or dimension == 1 or dimension not in (None, int(match[2])):
        return None
    return int(match[1])


def _parts(line: bytes, dimension: int) -> list[bytes]:
    # Some programs end every line with a space.
    return line.rstrip(b" ").rsplit(b" ", dimension)


def _decode(word: bytes, path: str | os.PathLike[str], number: int) -> str:
    try:
        return word.decode("utf-8-sig" if number == 1 else "utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(
            f"{path}:{number}: must be UTF-8. Received: {word[:60]!r}"
        ) from error


def _to_vector(
    numbers: Sequence[bytes], path: str | os.PathLike[str], number: int
) -> np.ndarray:
    try:
        # Python reads "1_0" as a number; no program writes one so.
        if any(b"_" in text for text in numbers):
            raise ValueError(f"Received: {b' '.join(numbers)[:60]!r}")
        with np.errstate(over="ignore"):
            vector = np.array([float(text) for text in numbers], np.float32)
    except ValueError as error:
        reason = short(str(error)).strip("'\"")
        raise ValueError(f"{path}:{number}: must hold numbers. {reason}") from error
    if not np.isfinite(vector).all():
        raise ValueError(f"{path}:{number}: must hold finite numbers")
    return vector
