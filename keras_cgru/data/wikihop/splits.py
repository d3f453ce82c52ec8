"""Loads WikiHop, or records simulated in its place, in three splits."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from keras_cgru.coref.resolver import Resolver
from keras_cgru.data.data_source import DataSource
from keras_cgru.data.find_corpus import official_or_simulated
from keras_cgru.data.splits import SPLITS
from keras_cgru.data.vectors_file import VectorsFile, find_vectors
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
from keras_cgru.data.wikihop.simulated_world import MOST_HOPS
from keras_cgru.data.wikihop.source import wikihop_corpus
from keras_cgru.data.wikihop.wikihop_splits import WikiHopSplits
from keras_cgru.data.wikihop.written_document import ORDER_SEED

# Whole batches of 16: a smaller last batch would be one more shape to compile.
SIMULATED = {"train": 1024, "validation": 128, "test": 512}


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
    max_hops: int = MOST_HOPS,
) -> WikiHopSplits:
    """Reads WikiHop where it is found, and simulates records where it is not.

    The training file is read as a stream: once for the ids, of which some are held out
    and some sampled, see `choose_records`, and once for each of these two. Only their
    records are tokenised and resolved.

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
        max_hops: Of simulated records; see `simulate_records`.

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
            source, reader, limit, train_size, validation_size, seed, max_hops
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
    max_hops: int,
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
            max_hops,
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
