"""LAMBADA, or stories simulated in its place, as training, validation and test."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from keras_cgru.coref import ExactMatchResolver, Resolver
from keras_cgru.data.bucket_layout import BucketLayout
from keras_cgru.data.data_source import DataSource
from keras_cgru.data.embeddings import embedding_matrix, read_glove
from keras_cgru.data.example import Example
from keras_cgru.data.lambada.passages import NUM_CLUSTERS, read_lambada
from keras_cgru.data.lambada.simulated import simulate_stories
from keras_cgru.data.lambada.source import find_lambada
from keras_cgru.data.read_result import ReadResult
from keras_cgru.data.vocabulary import Vocabulary

HELD_OUT = 0.1
# The same passages are held out whatever the seed of a run, so that runs compare.
SPLIT_SEED = 2018
# Whole batches of 32: a smaller last batch would be one more shape to compile.
SIMULATED = {"train": 1536, "validation": 192, "test": 512}
# Word vectors of simulated stories, and of passages without GloVe.
RANDOM_DIM = 50
RANDOM_STDDEV = 0.5


@dataclass(frozen=True)
class LambadaSplits:
    """Examples of the three splits, and where they come from.

    Args:
        train, validation: Usable examples.
        test: The test file's examples and its count of all passages.
        development: The same of the file that training and validation come from;
            None for simulated stories.
        source: Where the files were found; None for simulated stories.
    """

    train: tuple[Example, ...]
    validation: tuple[Example, ...]
    test: ReadResult
    development: ReadResult | None = None
    source: DataSource | None = None

    @property
    def kind(self) -> str:
        """`"lambada"`, or `"simulated"` for stories that the package made up."""
        return "simulated" if self.source is None else "lambada"

    @property
    def layout(self) -> BucketLayout:
        """The batch shapes of training and validation; no test passage counts."""
        # Stories are of one length, and each shape takes long to compile.
        num_buckets = 1 if self.source is None else 4
        return BucketLayout.from_examples([*self.train, *self.validation], num_buckets)

    @property
    def test_layout(self) -> BucketLayout:
        """The same with room for the test passages."""
        return self.layout.extended(self.test.examples)

    def summary(self) -> str:
        """What was taken from where, for the user, in a few lines."""
        sizes = f"{len(self.train)} to train on, {len(self.validation)} to validate"
        if self.source is None or self.development is None:
            return (
                "Data: SIMULATED stories, since no LAMBADA files were found or "
                f"--simulated was given.\n{sizes}, {self.test.num_used} to test."
            )
        return (
            f"Data: LAMBADA, {self.source.describe()}\n"
            f"development passages: {self.development.summary()}: {sizes}\n"
            f"test passages: {self.test.summary()}"
        )

    def provenance(self) -> dict[str, Any]:
        """Source, hashes and counts, for a run's `config.json`."""
        counts = {
            "train": len(self.train),
            "validation": len(self.validation),
            "test_used": self.test.num_used,
            "test_total": self.test.num_total,
        }
        if self.source is None or self.development is None:
            return {"kind": "simulated", "sha256": None, "counts": counts}
        return {
            "kind": "lambada",
            "found_by": self.source.kind,
            "sha256": dict(self.source.sha256),
            "glove": self.source.glove and self.source.glove.name,
            "counts": counts,
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
        if self.source is not None and self.source.glove is not None:
            words, vectors = read_glove(self.source.glove)
            vocabulary = Vocabulary.build(self.train, extra_words=words)
            matrix, _ = embedding_matrix(vocabulary, words, vectors, seed)
            return vocabulary, matrix
        vocabulary = Vocabulary.build(self.train)
        rng = np.random.default_rng(seed)
        shape = (len(vocabulary), RANDOM_DIM)
        return vocabulary, rng.normal(scale=RANDOM_STDDEV, size=shape).astype("float32")


def load_splits(
    data_dir: str | None = None,
    simulated: bool = False,
    limit: int | None = None,
    num_clusters: int = NUM_CLUSTERS,
    resolver: Resolver | None = None,
) -> LambadaSplits:
    """Reads LAMBADA where it is found, and simulates stories where it is not.

    Args:
        data_dir: See `find_lambada`.
        simulated: Whether to simulate stories whatever there is.
        limit: At most so many passages of each file, or stories of each split.
        num_clusters: Clusters kept for each passage.
        resolver: Finds the clusters of LAMBADA's passages, by default by exact match.
            Simulated stories know theirs.

    Raises:
        ValueError: If the files are malformed, or too few passages can be used.
        FileNotFoundError: If a named folder lacks a file.
    """
    source = None if simulated else find_lambada(data_dir)
    if source is None:
        return _simulated_splits(limit)
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
    train, validation = _hold_out(development.examples)
    return LambadaSplits(train, validation, test, development, source)


def _hold_out(
    examples: tuple[Example, ...],
) -> tuple[tuple[Example, ...], tuple[Example, ...]]:
    order = np.random.default_rng(SPLIT_SEED).permutation(len(examples))
    num_held_out = max(1, round(HELD_OUT * len(examples)))
    held_out = set(order[:num_held_out].tolist())
    train = tuple(e for i, e in enumerate(examples) if i not in held_out)
    return train, tuple(e for i, e in enumerate(examples) if i in held_out)


def _simulated_splits(limit: int | None) -> LambadaSplits:
    splits = {
        split: tuple(
            simulate_stories(min(number, limit or number), SPLIT_SEED, split=split)
        )
        for split, number in SIMULATED.items()
    }
    test = splits["test"]
    result = ReadResult(test, len(test), {}, "simulated stories")
    return LambadaSplits(splits["train"], splits["validation"], result)
