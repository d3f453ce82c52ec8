"""A metric that a callback watches: is it there, and which of two values is better."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any, Literal, get_args

import keras

Mode = Literal["auto", "min", "max"]
# Parts of names, for metrics that do not say it themselves, such as functions.
_LOWER, _HIGHER = ("loss", "error"), ("acc", "auc", "precision", "recall", "f1", "iou")


class Monitor:
    """The one way in which our callbacks watch a metric.

    Args:
        name: The metric as Keras logs it, such as "val_accuracy".
        mode: Whether a lower ("min") or a higher ("max") value is better; "auto": as
            Keras finds out, a loss is minimised and for a metric its own direction
            counts. Where a metric has none, as a function, its name decides.

    Raises:
        ValueError: There is no such mode.
    """

    def __init__(self, name: str, mode: Mode = "auto") -> None:
        if mode not in get_args(Mode):
            raise ValueError(
                f"`mode` must be one of {', '.join(get_args(Mode))}. Received: {mode!r}"
            )
        self.name, self.mode = name, mode

    def value(self, logs: Mapping[str, Any] | None) -> float | None:
        """The metric in an epoch's logs; None where it is not finite, or not there.

        Not every epoch has the metrics of the validation (`validation_freq`).

        Raises:
            ValueError: The epoch has others, but not this one.
        """
        logs = logs or {}
        if self.name in logs:
            value = float(logs[self.name])
            return value if math.isfinite(value) else None
        validated = any(name.startswith("val_") for name in logs)
        if self.name.startswith("val_") and not validated:
            return None
        raise ValueError(
            f"`monitor` must be one of the metrics {', '.join(map(repr, logs))}. "
            f"Received: {self.name!r}"
        )

    def is_better(self, value: float, than: float | None, model: keras.Model) -> bool:
        """Whether a value is better than another; any is better than None."""
        higher = self._higher(model)
        return than is None or (value > than if higher else value < than)

    def best(self, values: list[float], model: keras.Model) -> float | None:
        """The best of some values, those that are not finite left out."""
        finite = [value for value in values if math.isfinite(value)]
        choose = max if self._higher(model) else min
        return choose(finite) if finite else None

    def _higher(self, model: keras.Model) -> bool:
        if self.mode != "auto":
            return self.mode == "max"
        name = self.name.removeprefix("val_")
        for metric in single_metrics(model.metrics):
            direction = getattr(metric, "_direction", None)
            if metric.name == name and direction and name != "loss":
                return bool(direction == "up")
        for parts, higher in ((_LOWER, False), (_HIGHER, True)):
            if any(part in name.lower() for part in parts):
                return higher
        raise ValueError(
            '`mode` must be "min" or "max" for a metric that does not say which is '
            f"better. Received: mode='auto' for {self.name!r}"
        )


def single_metrics(metrics: list[Any]) -> Iterator[Any]:
    """The metrics, those inside a container of a compiled model, too."""
    for metric in metrics:
        if inner := getattr(metric, "metrics", None):
            yield from single_metrics(inner)
        else:
            yield metric
