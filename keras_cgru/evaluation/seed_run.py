"""A finished run as one seed of several: how it was trained, and how that went."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from keras_cgru.evaluation.run import Run, read_run
from keras_cgru.files import read_json, short

# Settings that change no figure, or the last digits alone; and those that say on what,
# with which seed and what was trained, which stand elsewhere.
_NO_WAY = frozenset(
    "data_dir simulated limit run_dir resume update_freq readings gradient_norm "
    "embeddings threads seed recurrence backend".split()
)
# Epoch and value.
Points = Sequence[tuple[int, float]]


@dataclass(frozen=True)
class SeedRun:
    """A run with what its figures depend on.

    Args:
        run: Its metrics and predictions.
        settings: All options of its training.
        limit: At most so many examples of each file were used; None: all.
        rows: Its table of epochs.
    """

    run: Run
    settings: Mapping[str, Any]
    limit: int | None
    rows: Sequence[Mapping[str, Any]]

    @property
    def seed(self) -> int:
        """Of initial weights, dropout and order."""
        return int(self.run.metrics["seed"])

    @property
    def model(self) -> str:
        """What was trained, by the name that the recipe knows it by."""
        return str(self.run.metrics["model"])

    @property
    def options(self) -> dict[str, str]:
        """The options in which trainings of one model may differ, as JSON."""
        kept = {k: v for k, v in self.settings.items() if k not in _NO_WAY}
        kept["backend"] = self.run.metrics["backend"]
        return {name: json.dumps(value) for name, value in sorted(kept.items())}

    @property
    def data_key(self) -> tuple[Any, ...]:
        """What two runs must have in common to stand in one table."""
        metrics = self.run.metrics
        files = tuple(sorted(self.run.sha256.items()))
        return (
            metrics["recipe"],
            self.run.data,
            self.limit,
            metrics["num_examples"],
            files,
        )

    @property
    def rank(self) -> tuple[float, float, int]:
        """By which the best seed is chosen: validation accuracy, then its loss.

        Where both are equal it is the lowest seed: the test decides nothing.
        """
        best = self.run.metrics.get("best_epoch")
        losses = [row.get("val_loss") for row in self.rows if row["epoch"] == best]
        loss = losses[0] if losses and losses[0] is not None else math.inf
        ordered = -math.inf if math.isnan(loss) else -loss
        return self.run.metrics["validation_accuracy"], ordered, -self.seed

    def curve(self, name: str) -> Points:
        """The values of a column of its table of epochs, where they are finite."""
        values = ((row["epoch"], row.get(name)) for row in self.rows)
        return [(x, y) for x, y in values if y is not None and math.isfinite(y)]


def read_seed_run(
    folder: str | os.PathLike[str], rows: Sequence[Mapping[str, Any]]
) -> SeedRun:
    """Reads a run folder.

    Args:
        folder: The folder.
        rows: What its table of epochs, `metrics.csv`, holds.

    Raises:
        FileNotFoundError: A file is missing.
        ValueError: A file is malformed; the message names it.
    """
    run = read_run(folder)
    for name in ("validation_accuracy", "train_seconds", "parameters"):
        value = run.metrics.get(name)
        if not isinstance(value, int | float) or isinstance(value, bool):
            raise ValueError(
                f"{run.folder / 'metrics.json'}: `{name}` must be a number. "
                f"Received: {short(value)}"
            )
    path = run.folder / "config.json"
    config = read_json(path)
    settings, data = (_object(path, config, name) for name in ("settings", "data"))
    # Earlier versions said it among the settings alone.
    limit = data.get("limit", settings.get("limit"))
    return SeedRun(run, settings, limit, rows)


def _object(path: Path, config: Any, name: str) -> Mapping[str, Any]:
    part = config.get(name) if isinstance(config, dict) else None
    if not isinstance(part, dict):
        raise ValueError(f"{path}: `{name}` must be an object. Received: {short(part)}")
    return part
