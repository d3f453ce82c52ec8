"""How the weights of a model are distributed, as histograms for TensorBoard."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Mapping, Sequence
from typing import Any, Literal

import keras

from keras_cgru.callbacks.summary_values import Value, histogram_value

_DIRECTION = re.compile(r"(?:(?P<before>.+)_)?(?P<way>forward|backward)(?:_.+)?")


class WeightHistograms:
    """Gives `TensorBoard` a histogram of each trained weight.

    Tags are `weights/LAYER/DIRECTION/WEIGHT`, as `weights/document_1/backward/keys`, or
    without a direction: the same for every recurrence and in every process, so that
    runs compare.

    Args:
        epochs: At the end of which, 0 for the first; None: of each.
    """

    folder: Literal["train", "validation"] = "train"

    def __init__(self, epochs: Container[int] | None = None) -> None:
        self.epochs = epochs

    def values(
        self, model: keras.Model, epoch: int, logs: Mapping[str, Any]
    ) -> Sequence[Value]:
        if self.epochs is not None and epoch not in self.epochs:
            return []
        weights = model.trainable_weights
        values = [
            histogram_value(tag, keras.ops.convert_to_numpy(weight.value))
            for tag, weight in zip(weight_tags(weights), weights, strict=True)
        ]
        return [value for value in values if value is not None]


def weight_tags(weights: Sequence[keras.Variable]) -> list[str]:
    """A tag for each weight; where two would have the same, their whole paths."""
    short = [_short(weight.path) for weight in weights]
    counts = Counter(short)
    return [
        f"weights/{tag if counts[tag] == 1 else weight.path}"
        for tag, weight in zip(short, weights, strict=True)
    ]


def _short(path: str) -> str:
    *layers, name = path.split("/")
    parts: list[str] = []
    for place, layer in enumerate(layers):
        found = _DIRECTION.fullmatch(layer)
        if found and place == 0 and found["before"]:
            parts += [found["before"], found["way"]]
        elif found and place:
            parts.append(found["way"])  # The rest is the wrapped layer's own name.
        elif not re.search(r"_cell(_\d+)?$", layer):
            parts.append(layer)
    return "/".join([*parts, name])
