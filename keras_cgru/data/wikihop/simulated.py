"""Records of the official form with known coreference, where no corpus is at hand."""

from __future__ import annotations

from keras_cgru.data.wikihop.record import WikiHopRecord


def simulate_records(num_records: int, seed: int, split: str) -> list[WikiHopRecord]:
    """Not there yet."""
    raise NotImplementedError
