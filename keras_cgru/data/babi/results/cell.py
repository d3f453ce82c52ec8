"""One finished cell of the bAbI tables."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import NoneType
from typing import Any

from keras_cgru.data.official import SIMULATED, caution_of
from keras_cgru.files import short

_NUMBER = (int, float)
_KINDS: dict[str, tuple[type, ...]] = {
    "model": (str,),
    "task": (int,),
    "seed": (int,),
    "dropped_mentions": _NUMBER,
    "parameters": (int,),
    "accuracy_overall": _NUMBER,
    "validation_accuracy": _NUMBER,
    # JSON has no NaN, the loss of a training that diverged.
    "validation_loss": (*_NUMBER, NoneType),
    "train_seconds": _NUMBER,
    "updates": (int,),
    "training": (dict,),
    "data": (str,),
}
_RANGES = {
    "task": (1, 20),
    "dropped_mentions": (0, 1),
    "parameters": (1, math.inf),
    "accuracy_overall": (0, 1),
    "validation_accuracy": (0, 1),
    "train_seconds": (0, math.inf),
    "updates": (1, math.inf),
}
# How stories are called that are not the official 1K files: "babi-en-10k".
OTHER_DATA = "babi-"

# For each validation the updates before it, and exp(-cross-entropy of a question).
Curve = tuple[tuple[int, float], ...]


@dataclass(frozen=True)
class BabiCell:
    """What one model reached on one task with one seed.

    Args:
        metrics: All of a cell's `metrics.json`, and of its `config.json` how it was
            trained (`training`) and on what (`data`: babi, simulated, or babi-VERSION
            for files that are not the official 1K ones, with a digest of these as
            `files`; `limit`, where only so many questions of each split were used).
        source: The file, and line where it holds several, for errors.
        folder: The cell's run folder; None where it was read from a file of cells.
        curve: How the probability of the right answer to a validation question rose;
            None where it is not known.

    Raises:
        ValueError: A field is missing, has the wrong type or is out of its range.
    """

    metrics: Mapping[str, Any]
    source: str
    folder: Path | None = None
    curve: Curve | None = None

    def __post_init__(self) -> None:
        loss = self.metrics.get("validation_loss")
        if isinstance(loss, float) and math.isnan(loss):
            # As `files.write_json` has it.
            metrics = {**self.metrics, "validation_loss": None}
            object.__setattr__(self, "metrics", metrics)
        for name, kinds in _KINDS.items():
            value = self.metrics.get(name)
            if (
                name not in self.metrics
                or not isinstance(value, kinds)
                or isinstance(value, bool)
            ):
                wanted = [kind.__name__ for kind in kinds if kind is not NoneType]
                self._refuse(name, " or ".join(wanted))
        for name, (low, high) in _RANGES.items():
            if not low <= self.metrics[name] <= high:
                self._refuse(name, f"from {low} to {high}")
        known = self.data in ("babi", SIMULATED)
        if not (known or self.data.startswith(OTHER_DATA)):
            self._refuse("data", "babi, babi-VERSION or simulated")
        limit = self.metrics.get("limit")
        if limit is not None and (type(limit) is not int or limit < 1):
            self._refuse("limit", "a number from 1 on")

    def _refuse(self, name: str, wanted: str) -> None:
        value = self.metrics.get(name)
        raise ValueError(
            f"{self.source}: `{name}` must be {wanted}. Received: {short(value)}"
        )

    @property
    def model(self) -> str:
        """What was trained, by the name that recipes know it by."""
        return str(self.metrics["model"])

    @property
    def task(self) -> int:
        """Number of the task."""
        return int(self.metrics["task"])

    @property
    def seed(self) -> int:
        """Of initial weights, dropout, order and names."""
        return int(self.metrics["seed"])

    @property
    def dropped_mentions(self) -> float:
        """Share of the mentions that lost their cluster."""
        return float(self.metrics["dropped_mentions"])

    @property
    def parameters(self) -> int:
        """Of the model, on this task."""
        return int(self.metrics["parameters"])

    @property
    def validation_accuracy(self) -> float:
        """Of the weights that were kept."""
        return float(self.metrics["validation_accuracy"])

    @property
    def validation_loss(self) -> float:
        """Cross-entropy of a validation question, in nats; NaN where it diverged."""
        loss = self.metrics["validation_loss"]
        return math.nan if loss is None else float(loss)

    @property
    def updates(self) -> int:
        """How many there were in training."""
        return int(self.metrics["updates"])

    @property
    def train_seconds(self) -> float:
        """Wall time of the training."""
        return float(self.metrics["train_seconds"])

    @property
    def training(self) -> Mapping[str, Any]:
        """The options of the training, by name."""
        options: Mapping[str, Any] = self.metrics["training"]
        return options

    @property
    def data(self) -> str:
        """On what: "babi", "simulated", or "babi-en-10k" and the like."""
        return str(self.metrics["data"])

    @property
    def limit(self) -> int | None:
        """At most so many questions of each split were used; None: all."""
        limit: int | None = self.metrics.get("limit")
        return limit

    @property
    def caution(self) -> str:
        """What must be said beside its figures; nothing on all official questions."""
        return caution_of(self.data, "babi", self.limit)

    @property
    def key(self) -> tuple[str, int, int, float]:
        """Model, task, seed, share of dropped mentions."""
        return self.model, self.task, self.seed, self.dropped_mentions

    @property
    def name(self) -> str:
        """Its path below the folder of all cells."""
        share = f"-dropped-{self.dropped_mentions:g}" if self.dropped_mentions else ""
        return f"{self.model}{share}/task-{self.task:02d}/seed-{self.seed}"

    @property
    def test_accuracy(self) -> float:
        """Of all test questions, those that cannot be answered included."""
        return float(self.metrics["accuracy_overall"])

    @property
    def rank(self) -> tuple[float, float, int]:
        """By which the best seed is chosen: validation accuracy, then its loss.

        Where both are equal it is the lowest seed: the test decides nothing.
        """
        loss = self.validation_loss
        # A training that diverged ranks last of its equals; NaN would have no order.
        ordered = -math.inf if math.isnan(loss) else -loss
        return self.validation_accuracy, ordered, -self.seed
