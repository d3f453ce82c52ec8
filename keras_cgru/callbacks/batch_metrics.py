"""Metrics of the last batches alone, which Keras gives as means over the epoch."""

from __future__ import annotations

import time
from collections.abc import Mapping

import keras

from keras_cgru.callbacks.monitor import single_metrics


class BatchMetrics:
    """What metrics are between two moments of an epoch, and how fast it goes.

    A metric that is a mean keeps a sum and a count; the difference of two of its states
    is that of the batches between them, whatever they weigh.
    """

    def __init__(self) -> None:
        self.begin_epoch()

    def begin_epoch(self) -> None:
        """Keras starts its means anew, and there was no batch yet."""
        self._states: Mapping[str, tuple[float, float]] = {}
        self._began = self._point = self._batch_end = time.perf_counter()
        self._rows = 0.0

    def end_batch(self) -> None:
        """A batch has ended: what comes behind the last is no training."""
        self._batch_end = time.perf_counter()

    def remember(self, model: keras.Model) -> None:
        """The batches up to now do not belong to the next `since`."""
        self._states = _states(model)

    def since(self, model: keras.Model) -> dict[str, float]:
        """Each metric of the batches since the last `remember`, or since the beginning.

        Metrics that are no means are left out.
        """
        now, before = _states(model), self._states
        self._states = now
        means = {}
        for name, (total, count) in now.items():
            earlier_total, earlier_count = before.get(name, (0.0, 0.0))
            if count > earlier_count:
                means[name] = (total - earlier_total) / (count - earlier_count)
        return means

    def examples_per_second(self) -> float | None:
        """At the last `since`, from the last call of this or the epoch's beginning.

        None where it is not known.
        """
        began, rows = self._point, self._rows
        # To read the states anew takes a third of a millisecond.
        self._rows = _rows(self._states)
        self._point = self._batch_end
        return _rate(self._rows - rows, self._point - began)

    def epoch_examples_per_second(self, model: keras.Model) -> float | None:
        """From the epoch's beginning to its last batch."""
        return _rate(_rows(_states(model)), self._batch_end - self._began)


def _states(model: keras.Model) -> dict[str, tuple[float, float]]:
    """Sum and count of each metric that is a mean, by its name."""
    return {
        metric.name: (_number(metric.total), _number(metric.count))
        for metric in single_metrics(model.metrics)
        if isinstance(metric, keras.metrics.Mean)
    }


def _rows(states: Mapping[str, tuple[float, float]]) -> float:
    # Keras weighs a batch's loss by its rows.
    return states.get("loss", (0.0, 0.0))[1]


def _rate(rows: float, seconds: float) -> float | None:
    return rows / seconds if rows > 0 and seconds > 0 else None


def _number(variable: keras.Variable) -> float:
    return float(keras.ops.convert_to_numpy(variable.value))
