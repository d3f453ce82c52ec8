"""LAMBADA, or stories simulated in its place, as training, validation and test."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from keras_cgru.coref import ExactMatchResolver, Resolver
from keras_cgru.data.data_source import DataSource
from keras_cgru.data.example import Example
from keras_cgru.data.find_corpus import official_or_simulated
from keras_cgru.data.initial_vectors import vocabulary_and_embeddings
from keras_cgru.data.lambada.passages import NUM_CLUSTERS, read_lambada
from keras_cgru.data.lambada.simulated import simulate_stories
from keras_cgru.data.lambada.source import LAMBADA
from keras_cgru.data.official import sha256_of
from keras_cgru.data.read_result import ReadResult
from keras_cgru.data.splits import Splits
from keras_cgru.data.vectors_file import VectorsFile, find_vectors
from keras_cgru.data.vocabulary import Vocabulary

HELD_OUT = 0.1
# The same passages are held out whatever the seed of a run, so that runs compare.
SPLIT_SEED = 2018
# Whole batches of 32: a smaller last batch would be one more shape to compile.
SIMULATED = {"train": 1536, "validation": 192, "test": 512}


@dataclass(frozen=True, kw_only=True)
class LambadaSplits(Splits):
    """Examples of the three splits, and where they come from.

    Args:
        development: The usable examples of the file that training and validation come
            from, and its count of all passages; None for simulated stories.
        vectors: Word vectors; None where there are none.
    """

    development: ReadResult | None = None
    vectors: VectorsFile | None = None

    def summary(self) -> str:
        """What was taken from where, for the user, in a few lines."""
        sizes = (
            f"{self.train.num_used} to train on, {self.validation.num_used} to validate"
        )
        line = self.source.line(self.limit)
        if self.development is None:
            return f"{line}\n{sizes}, {self.test.num_used} to test."
        vectors = "none" if self.vectors is None else self.vectors.path
        return (
            f"{line} (word vectors: {vectors})\n"
            f"development passages: {self.development.summary()}: {sizes}\n"
            f"test passages: {self.test.summary()}"
        )

    def provenance(self) -> dict[str, Any]:
        """Source, hashes and counts, for a run's `config.json`."""
        found = super().provenance()
        if self.development is None:
            return found
        if self.vectors is not None:
            path = self.vectors.path
            found["sha256"] = {**found["sha256"], path.name: sha256_of(path)}
        return {
            **found,
            "glove": self.vectors and self.vectors.name,
            "text_version": self.test.text_version,
            "skipped": {
                "development": dict(self.development.skipped),
                "test": dict(self.test.skipped),
            },
        }

    def vocabulary_and_embeddings(self, seed: int) -> tuple[Vocabulary, np.ndarray]:
        """Word ids and initial word vectors `(vocabulary, dim)`.

        The vocabulary is that of the training examples and of GloVe; other words of
        validation and test fall into hashed buckets.
        """
        return vocabulary_and_embeddings(self.train.examples, self.vectors, seed)


def load_splits(
    data_dir: str | os.PathLike[str] | None = None,
    simulated: bool = False,
    limit: int | None = None,
    num_clusters: int = NUM_CLUSTERS,
    resolver: Resolver | None = None,
) -> LambadaSplits:
    """Reads LAMBADA where it is found, and simulates stories where it is not.

    Args:
        data_dir: See `find_corpus`. Word vectors are looked for beside the passages'
            folder; see `find_vectors`.
        simulated: Whether to simulate stories whatever there is.
        limit: At most so many passages of each file, or stories of each split.
        num_clusters: Clusters kept for each passage.
        resolver: Finds the clusters of LAMBADA's passages, by default by exact match.
            Simulated stories know theirs.

    Raises:
        ValueError: If the files are malformed, or too few passages can be used.
        FileNotFoundError: If a named folder lacks a file, or the folder of word
            vectors has none.
    """
    source = official_or_simulated(LAMBADA, data_dir, simulated)
    if source.folder is None:
        return _simulated_splits(source, limit)
    folder = source.folder.absolute()
    vectors = find_vectors(folder.parent) or find_vectors(folder)
    resolver = resolver or ExactMatchResolver()
    development, test = (
        read_lambada(
            path, resolver, limit=limit, split=split, num_clusters=num_clusters
        )
        for path, split in (
            (source.files["development"], "dev"),
            (source.files["test"], "test"),
        )
    )
    for result in (development, test):
        if result.num_used < 2:
            raise ValueError(
                f"{result.source}: at least 2 passages must be usable. Received: "
                f"{result.summary()}"
            )
    train, validation = _hold_out(development)
    return LambadaSplits(
        train=train,
        validation=validation,
        test=test,
        source=source,
        limit=limit,
        development=development,
        vectors=vectors,
    )


def _hold_out(development: ReadResult) -> tuple[ReadResult, ReadResult]:
    examples = development.examples
    order = np.random.default_rng(SPLIT_SEED).permutation(len(examples))
    num_held_out = max(1, round(HELD_OUT * len(examples)))
    held_out = set(order[:num_held_out].tolist())
    train = [e for i, e in enumerate(examples) if i not in held_out]
    validation = [e for i, e in enumerate(examples) if i in held_out]
    return _result(train, development.source), _result(validation, development.source)


def _simulated_splits(source: DataSource, limit: int | None) -> LambadaSplits:

    def simulate(split: str) -> ReadResult:
        number = min(SIMULATED[split], limit or SIMULATED[split])
        stories = simulate_stories(number, SPLIT_SEED, split=split)
        return _result(stories, "simulated stories")

    return LambadaSplits(
        train=simulate("train"),
        validation=simulate("validation"),
        test=simulate("test"),
        source=source,
        limit=limit,
        # Stories are of one length, and each shape takes long to compile.
        num_buckets=1,
    )


def _result(examples: Sequence[Example], source: str) -> ReadResult:
    return ReadResult(tuple(examples), len(examples), {}, source)
