"""WikiHop, or records simulated in its place, as training, validation and test."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Self

import numpy as np

from keras_cgru.coref.resolver import Resolver
from keras_cgru.data.data_source import DataSource
from keras_cgru.data.find_corpus import official_or_simulated
from keras_cgru.data.initial_vectors import vocabulary_and_embeddings
from keras_cgru.data.official import sha256_of
from keras_cgru.data.splits import SPLITS, Splits
from keras_cgru.data.vectors_file import VectorsFile, find_vectors
from keras_cgru.data.vocabulary import Vocabulary
from keras_cgru.data.wikihop.choose_records import SPLIT_SEED, choose_records
from keras_cgru.data.wikihop.find_mentions import MentionRule
from keras_cgru.data.wikihop.read_result import WikiHopReadResult, read_all
from keras_cgru.data.wikihop.record import WikiHopRecord, read_records
from keras_cgru.data.wikihop.record_reader import (
    MAX_TOKENS,
    NUM_CLUSTERS,
    RecordReader,
)
from keras_cgru.data.wikihop.select_clusters import NearHead
from keras_cgru.data.wikihop.simulated import simulate_records
from keras_cgru.data.wikihop.source import wikihop_corpus
from keras_cgru.data.wikihop.written_document import ORDER_SEED

# Whole batches of 16: a smaller last batch would be one more shape to compile.
SIMULATED = {"train": 1024, "validation": 128, "test": 512}


@dataclass(frozen=True, kw_only=True)
class WikiHopSplits(Splits):
    """Examples of the three splits, and where they come from.

    Training and validation are of the official training file; the test split is the
    official DEVELOPMENT file, as the answers of the official test are not public.

    Args:
        reader: How records became examples.
        train_size: How many records were sampled to train on; None: all.
        seed: Of the sample.
        vectors: Word vectors; None where there are none.
    """

    train: WikiHopReadResult
    validation: WikiHopReadResult
    test: WikiHopReadResult
    reader: RecordReader
    train_size: int | None = None
    seed: int = 0
    vectors: VectorsFile | None = None

    def with_clusters(
        self,
        resolver: Resolver | None = None,
        num_clusters: int | None = None,
        random_links: bool = False,
        dropped_mentions: float = 0.0,
    ) -> Self:
        """The same examples with perturbed clusters; see `Splits.with_clusters`.

        Raises:
            ValueError: `resolver` is given: its clusters are selected when records are
                read, with `load_splits(resolver=...)`.
        """
        if resolver is not None:
            raise ValueError(
                "`resolver` must be given to `load_splits`, which selects the clusters "
                f"that it finds. Received: {resolver!r:.80}"
            )
        return super().with_clusters(None, num_clusters, random_links, dropped_mentions)

    def summary(self) -> str:
        """What was taken from where, for the user, in a few lines."""
        lines = [self.source.line(self.limit)]
        if self.source.folder is not None:
            vectors = "none" if self.vectors is None else self.vectors.path
            lines[0] += f" (word vectors: {vectors})"
        names = {"test": "test (the development file)"} if self.source.folder else {}
        for split in SPLITS:
            result: WikiHopReadResult = getattr(self, split)
            lines.append(f"{names.get(split, split)}: {result.describe()}")
        if self.train_size is not None:
            lines.append(
                f"training records: {self.train_size:,}, sampled with seed {self.seed}"
            )
        return "\n".join(lines)

    def provenance(self) -> dict[str, Any]:
        """Source, hashes, settings and counts, for a run's `config.json`."""
        found = super().provenance()
        if self.vectors is not None:
            path = self.vectors.path
            found["sha256"] = {**found["sha256"], path.name: sha256_of(path)}
            found["glove"] = self.vectors.name
        reader = self.reader
        found["reading"] = {
            "num_clusters": reader.num_clusters,
            "max_tokens": reader.max_tokens,
            "mention_rule": reader.mention_rule,
            "near_head": reader.near_head,
            "link_head": reader.link_head,
            "order_seed": reader.order_seed,
        }
        found["sample"] = {"train_size": self.train_size, "seed": self.seed}
        found["clusters_and_candidates"] = {
            split: getattr(self, split).counts() for split in SPLITS
        }
        return found

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
    train_size: int | None = None,
    seed: int = 0,
    num_clusters: int | None = NUM_CLUSTERS,
    resolver: Resolver | None = None,
    max_tokens: int | None = MAX_TOKENS,
    masked: bool = False,
    mention_rule: MentionRule = "whole",
    near_head: NearHead | None = None,
    link_head: bool = False,
    order_seed: int = ORDER_SEED,
    validation_size: int | None = None,
) -> WikiHopSplits:
    """Reads WikiHop where it is found, and simulates records where it is not.

    The training file is read twice, as a stream: once for the ids, of which some are
    held out and some sampled, see `choose_records`, and once for these records. Only
    they are tokenised and resolved.

    Args:
        data_dir: See `find_corpus`; also the folder `wikihop` itself. Word vectors are
            looked for beside these folders; see `find_vectors`.
        simulated: Whether to simulate records whatever there is.
        limit: At most so many records of each file from its start, or of each
            simulated split.
        train_size: How many records to train on; None: all that are not held out, or
            of simulated ones 1,024. Simulated ones may be any number.
        seed: Of the sample. Simulated training records are other ones for each seed.
        num_clusters, resolver, max_tokens, mention_rule, near_head, link_head,
            order_seed: See `RecordReader`.
        masked: Whether the files whose candidates are masked are read.
        validation_size: At most so many records to validate; None: all held out.

    Raises:
        ValueError: If the files are malformed, or too few records can be used.
        FileNotFoundError: If a named folder lacks a file, or the folder of word
            vectors has none.
    """
    if limit is not None and limit < 1:
        raise ValueError(f"`limit` must be at least 1. Received: limit={limit}")
    reader = RecordReader(
        resolver=resolver,
        num_clusters=num_clusters,
        max_tokens=max_tokens,
        mention_rule=mention_rule,
        near_head=near_head,
        link_head=link_head,
        order_seed=order_seed,
    )
    source = official_or_simulated(wikihop_corpus(masked), data_dir, simulated)
    if source.folder is None:
        return _simulated_splits(
            source, reader, limit, train_size, validation_size, seed
        )
    train_file, test_file = source.files["train"], source.files["dev"]
    ids = (record.id for record in islice(read_records(train_file), limit))
    train, validation = choose_records(ids, train_size, validation_size, seed)
    results = [
        read_all(_only(train_file, train), reader, os.fspath(train_file)),
        read_all(_only(train_file, validation), reader, os.fspath(train_file)),
        read_all(islice(read_records(test_file), limit), reader, os.fspath(test_file)),
    ]
    for split, result in zip(SPLITS, results, strict=True):
        if not result.num_used:
            raise ValueError(
                f"{result.source}: at least 1 record to {_USES[split]} must be usable. "
                f"Received: {result.summary()}"
            )
    return WikiHopSplits(
        train=results[0],
        validation=results[1],
        test=results[2],
        source=source,
        limit=limit,
        reader=reader,
        train_size=train_size,
        seed=seed,
        vectors=_find_vectors(source.folder.absolute()),
    )


_USES = {"train": "train on", "validation": "validate", "test": "test"}


def _only(path: Path, ids: tuple[str, ...]) -> Iterator[WikiHopRecord]:
    """The records of these ids; the file is read as far as the last of them."""
    wanted = set(ids)
    if not wanted:
        return
    for record in read_records(path):
        if record.id in wanted:
            wanted.remove(record.id)
            yield record
            if not wanted:
                return


def _find_vectors(folder: Path) -> VectorsFile | None:
    """Beside the folder, in it, or beside the one that holds it."""
    places = (folder.parent, folder, folder.parent.parent)
    return next((found for place in places if (found := find_vectors(place))), None)


def _simulated_splits(
    source: DataSource,
    reader: RecordReader,
    limit: int | None,
    train_size: int | None,
    validation_size: int | None,
    seed: int,
) -> WikiHopSplits:
    sizes = {
        "train": train_size or SIMULATED["train"],
        "validation": validation_size or SIMULATED["validation"],
        "test": SIMULATED["test"],
    }

    def simulate(split: str) -> WikiHopReadResult:
        # All runs validate and test on the same.
        records = simulate_records(
            min(sizes[split], limit or sizes[split]),
            seed if split == "train" else SPLIT_SEED,
            split,
        )
        return read_all(records, reader, "simulated records")

    return WikiHopSplits(
        train=simulate("train"),
        validation=simulate("validation"),
        test=simulate("test"),
        source=source,
        limit=limit,
        reader=reader,
        train_size=train_size,
        seed=seed,
        # Records are of about one length, and each shape takes long to compile.
        num_buckets=1,
    )
