"""Training, validation and test examples of a data set, with their provenance."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Self

from keras_cgru.coref.resolver import Resolver
from keras_cgru.data.bucket_layout import BucketLayout
from keras_cgru.data.clusters import with_clusters
from keras_cgru.data.data_source import DataSource
from keras_cgru.data.example import Example
from keras_cgru.data.official import caution_of
from keras_cgru.data.read_result import ReadResult

SPLITS = ("train", "validation", "test")


@dataclass(frozen=True, kw_only=True)
class Splits:
    """What a recipe trains, validates and tests on.

    Args:
        train, validation, test: The usable examples of each, and the count of all.
        source: Where they come from.
        limit: At most so many of each file, or simulated split, were taken; None: all.
        num_buckets: Shapes of batches in training.
    """

    train: ReadResult
    validation: ReadResult
    test: ReadResult
    source: DataSource
    limit: int | None = None
    num_buckets: int = 4

    @property
    def label(self) -> str:
        """What the data is called in file names, metrics and tables."""
        return self.source.label

    @property
    def caution(self) -> str:
        """What must be said beside every figure; nothing for all of the official."""
        return caution_of(self.label, self.source.name, self.limit)

    @property
    def examples(self) -> tuple[Example, ...]:
        """The usable examples of all three splits."""
        results = (self.train, self.validation, self.test)
        return tuple(example for result in results for example in result.examples)

    @property
    def layout(self) -> BucketLayout:
        """The batch shapes of training and validation; no test example counts."""
        known = [*self.train.examples, *self.validation.examples]
        return BucketLayout.from_examples(known, self.num_buckets)

    @property
    def test_layout(self) -> BucketLayout:
        """The same with room for the test examples."""
        return self.layout.extended(self.test.examples)

    def with_clusters(
        self,
        resolver: Resolver | None = None,
        num_clusters: int | None = None,
        random_links: bool = False,
        dropped_mentions: float = 0.0,
    ) -> Self:
        """The same examples with other clusters; see `keras_cgru.data.with_clusters`.

        How many clusters did not fit is in each result's `num_dropped_clusters`.
        """

        def changed(result: ReadResult) -> ReadResult:
            return with_clusters(
                result,
                resolver,
                num_clusters,
                random_links=random_links,
                dropped_mentions=dropped_mentions,
            )

        return replace(
            self,
            train=changed(self.train),
            validation=changed(self.validation),
            test=changed(self.test),
        )

    def summary(self) -> str:
        """What was taken from where, for the user, in a few lines."""
        parts = [f"{split} {getattr(self, split).summary()}" for split in SPLITS]
        return f"{self.source.line(self.limit)}\n{'; '.join(parts)}"

    def provenance(self) -> dict[str, Any]:
        """Source, hashes and counts, for a run's `config.json`."""
        skipped = {
            s: dict(r.skipped) for s in SPLITS if (r := getattr(self, s)).skipped
        }
        return {
            **self.source.provenance(),
            **({"skipped": skipped} if skipped else {}),
            **({"limit": self.limit} if self.limit is not None else {}),
            "counts": {
                "train": self.train.num_used,
                "validation": self.validation.num_used,
                "test_used": self.test.num_used,
                "test_total": self.test.num_total,
            },
        }
