"""Training, validation and test examples of WikiHop."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from keras_cgru.coref.resolver import Resolver
from keras_cgru.data.initial_vectors import vocabulary_and_embeddings
from keras_cgru.data.official import sha256_of
from keras_cgru.data.splits import SPLITS, Splits
from keras_cgru.data.vectors_file import VectorsFile
from keras_cgru.data.vocabulary import Vocabulary
from keras_cgru.data.wikihop.read_result import WikiHopReadResult
from keras_cgru.data.wikihop.record_reader import RecordReader


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
