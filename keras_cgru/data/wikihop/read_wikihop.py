"""Reads a WikiHop file."""

from __future__ import annotations

import os
from itertools import islice

from keras_cgru.data.wikihop.read_result import WikiHopReadResult, read_all
from keras_cgru.data.wikihop.record import read_records
from keras_cgru.data.wikihop.record_reader import RecordReader


def read_wikihop(
    path: str | os.PathLike[str],
    reader: RecordReader | None = None,
    limit: int | None = None,
) -> WikiHopReadResult:
    """Reads a file of the official form, one record in memory at a time.

    Args:
        path: `train.json`, `dev.json`, or one of these `.masked.json`.
        reader: How records become examples; None: a `RecordReader` as it comes.
        limit: Reads only that many records from the start of the file.

    Returns:
        The usable examples, and how many records cannot be used for which reason:
        "answer not in document", "answer lost to the cut", "no candidate in document".

    Raises:
        FileNotFoundError: There is no such file.
        ValueError: It is no list of records, or `limit` is below 1.
    """
    if limit is not None and limit < 1:
        raise ValueError(f"`limit` must be at least 1. Received: limit={limit}")
    records = islice(read_records(path), limit)
    return read_all(records, reader or RecordReader(), os.fspath(path))
