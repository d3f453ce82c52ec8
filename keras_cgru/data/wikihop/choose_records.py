"""Which records of the training file are trained on, and which are held out."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import NamedTuple

# The share of the training file that validation takes.
HELD_OUT = 0.05
# The same records are held out whatever the seed of a run, so that runs compare.
SPLIT_SEED = 2018
_MOST = 1 << 64


class ChosenRecords(NamedTuple):
    """Ids of records, in the order of the file."""

    train: tuple[str, ...]
    validation: tuple[str, ...]


def choose_records(
    ids: Iterable[str],
    train_size: int | None = None,
    validation_size: int | None = None,
    seed: int = 0,
) -> ChosenRecords:
    """Holds out a share of the records, and samples the others.

    Each record has a number that a hash of `SPLIT_SEED` and its id gives; those of the
    lowest twentieth of all numbers are held out, at least one. So neither the order of
    the file nor what else it holds matters. Likewise the sample has the lowest numbers
    of `seed`: a larger one has the records of a smaller one and more.

    Args:
        ids: Those of the whole training file, no two alike.
        train_size: How many to train on; None: all that are not held out.
        validation_size: At most so many are kept of those held out; None: all.
        seed: Of the sample.

    Raises:
        ValueError: A size is below 1, `seed` negative, there are fewer than two
            records or not as many to train on.
    """
    for name, size in (
        ("train_size", train_size),
        ("validation_size", validation_size),
    ):
        if size is not None and size < 1:
            raise ValueError(f"`{name}` must be at least 1. Received: {name}={size}")
    if seed < 0:
        raise ValueError(f"`seed` must be at least 0. Received: seed={seed}")
    ids = list(ids)
    if len(ids) < 2:
        raise ValueError(
            f"at least 2 training records are needed to hold one out. Received: "
            f"{len(ids)}"
        )
    first = sorted(ids, key=lambda id: _rank(SPLIT_SEED, id))
    num_held_out = max(1, sum(_rank(SPLIT_SEED, id) < HELD_OUT * _MOST for id in ids))
    held_out = first[: min(num_held_out, len(ids) - 1)]
    kept = set(held_out[:validation_size])
    others = first[len(held_out) :]
    if train_size is not None:
        if train_size > len(others):
            raise ValueError(
                f"`train_size` must be at most {len(others):,}, the training records "
                f"that are not held out. Received: train_size={train_size}"
            )
        others = sorted(others, key=lambda id: _rank(seed, id))[:train_size]
    sample = set(others)
    return ChosenRecords(
        tuple(id for id in ids if id in sample), tuple(id for id in ids if id in kept)
    )


def _rank(seed: int, id: str) -> int:
    """A number below 2**64, evenly drawn; CRC-32 of like ids is not even enough."""
    name = f"{seed} {id}".encode()
    return int.from_bytes(hashlib.blake2b(name, digest_size=8).digest(), "big")
