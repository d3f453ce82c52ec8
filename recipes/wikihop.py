"""Trains a Gated-Attention reader with Coref-GRU layers on WikiHop.

    python recipes/wikihop.py                                   # works offline
    KERAS_CGRU_DATA=/path/to/data python recipes/wikihop.py     # the real records
    python recipes/wikihop.py --train-size 1000 --recurrence gru --seed 2
    python recipes/wikihop.py --resume

A record is a relation, an entity, several texts and candidates; the reader chooses the
candidate that stands in that relation to the entity. It is trained on the training
records, a share of them held out to choose the epoch, and tested on the development
records: the official test records are not public. Without the official files it
trains on records that the package simulates, and says so.

A run folder holds all that a run gives; tools/report.py makes tables of several.
"""

from __future__ import annotations

import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from keras_cgru import training
from keras_cgru.command_line import run_command
from keras_cgru.data.wikihop.splits import WikiHopSplits, load_splits
from keras_cgru.evaluation import trivial_accuracies
from keras_cgru.files import write_json

if TYPE_CHECKING:  # Keras must not be imported before its backend is chosen.
    import keras
    import numpy as np

# Seconds a compiled shape and an update take at 3 layers, 64 units, batches of 16.
COSTS = {"jax": (14, 0.2), "tensorflow": (12, 0.3)}
MAY_CHANGE = (
    "data_dir simulated epochs update_freq readings embeddings run_dir resume".split()
)


@dataclass(frozen=True)
class Settings:
    """Train and test a Gated-Attention reader on WikiHop."""

    data_dir: str | None = None
    """Folder with qangaroo_v1.1/ and glove/. Default: KERAS_CGRU_DATA, simulated
    records."""
    simulated: bool = False
    """Train on simulated records even where the real ones are at hand."""
    masked: bool = False
    """Read the files whose candidates are masked."""
    train_size: int | Literal["full"] = "full"
    """Train on so many records, drawn by the seed: the same for all recurrences. The
    paper has 1000, 5000 and full."""
    backend: Literal["jax", "tensorflow"] | None = None
    """Keras backend. Default: KERAS_BACKEND, or one that is installed."""
    recurrence: Literal["coref_gru", "gru", "gru_onehot"] = "coref_gru"
    """The recurrent layers; gru_onehot is a GRU that reads one-hot clusters."""
    units: int = 64
    """Size of the state in each direction; even."""
    layers: int = 3
    """Number of gated-attention layers."""
    max_tokens: int = 2200
    """Documents are cut behind so many tokens."""
