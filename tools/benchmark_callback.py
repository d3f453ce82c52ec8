"""Measures what the TensorBoard callback adds to a training step of a reader.

    python tools/benchmark_callback.py --backend jax --output callback-jax.json

A Gated-Attention reader is trained on one batch shape through `fit`,
with and without the callback in turns, so that what else the machine does meets all
alike. Times are from the first batch's end to the last's, so that compiling does not
count; the table gives the median over the turns, and that of the ratios to the turn
without the callback beside it. At an epoch's end it writes histograms, too: that is
given by itself, in milliseconds an epoch.
"""

from __future__ import annotations

import dataclasses
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

from keras_cgru.backend import choose_backend
from keras_cgru.command_line import check_counts, refuse, run_command
from keras_cgru.files import check_output, write_json

WORDS, EMBEDDING_DIM, QUERY_LENGTH, CANDIDATES = 3000, 50, 16, 10
# What is passed to the callback, by what the table calls it.
CASES: dict[str, dict[str, Any] | None] = {
    "no callback": None,
    "every 10th update": {"update_freq": 10},
    "every update": {"update_freq": 1},
    "every update, gradient norm": {"update_freq": 1, "gradient_norm": True},
}


@dataclasses.dataclass(frozen=True)
class Settings:
    """Measure what the TensorBoard callback adds to a training step."""

    backend: Literal["jax", "tensorflow", "torch"] | None = None
    """Keras backend. Default: KERAS_BACKEND, or the first that is installed."""
    size: str = "32,70,64,13"
    """BATCH,TIME,UNITS,CLUSTERS."""
    layers: int = 3
    """Of the reader."""
    repeats: int = 9
    """Turns of each case."""
    steps: int = 40
    """Training steps a turn; at least 10."""
    output: str | None = None
    """Also write the figures to this JSON file."""


def main(arguments: Sequence[str] | None = None) -> int:
    return run_command(
        benchmark,
        Settings,
        name="benchmark_callback",
        description=__doc__,
        # What was measured is to be written even if nobody reads along any more.
        outlives_pipe=True,
        arguments=arguments,
    )


def benchmark(settings: Settings) -> None:
    check_counts(settings, "layers repeats")
    if settings.steps < 10:
        refuse("steps", "at least 10", settings.steps)
    parts = settings.size.split(",")
    if len(parts) != 4 or not all(part.isdecimal() and int(part) for part in parts):
        refuse("size", "four positive integers, like 32,70,64,13", settings.size)
    output = None if settings.output is None else check_output(settings.output)
    backend = choose_backend(settings.backend)
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
    from keras_cgru.training import environment

    sizes = [*map(int, parts), settings.layers]
    with tempfile.TemporaryDirectory() as folder:
        rows = measure(sizes, settings.repeats, settings.steps, Path(folder))
    print(f"\n{backend}, (batch, time, units, clusters) = ({settings.size})")
    for row in rows:
        print(
            f"  {row['case']:28} {row['ms']:8.2f} ms a step, {row['ratio']:.3f} x; "
            f"{row['epoch_ms']:6.1f} ms an epoch's end"
        )
    if output is not None:
        write_json(output, {"machine": environment(), "callback": rows})


def measure(
    sizes: Sequence[int], repeats: int, steps: int, folder: Path
) -> list[dict[str, Any]]:
    """A row for each case: a step in ms, its ratio, and the end of an epoch in ms."""
    # Models of their own: the gradient norm compiles another step.
    models = {name: build(*sizes) for name in CASES}
    data = batches(*sizes[:4], steps=steps)
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in CASES}
    for turn in range(repeats + 1):
        for name, options in CASES.items():
            took = train(models[name], data, options, folder / f"{len(name)}-{turn}")
            if turn:  # The first one compiles.
                found[name].append(took)
        print(f"turn {turn} of {repeats}", flush=True)
    first = [step for step, _ in found["no callback"]]
    return [
        {
            "case": name,
            "ms": round(1000 * statistics.median(step for step, _ in took), 3),
            "ratio": round(
                statistics.median(
                    step / plain for (step, _), plain in zip(took, first, strict=True)
                ),
                4,
            ),
            "epoch_ms": round(1000 * statistics.median(end for _, end in took), 2),
        }
        for name, took in found.items()
    ]


def train(
    model: Any, data: Any, options: dict[str, Any] | None, folder: Path
) -> tuple[float, float]:
    """Seconds a step, and those of the callback at the epoch's end."""
    import keras

    from keras_cgru.callbacks import (
        EpochPart,
        ExpLoss,
        TensorBoard,
        WeightHistograms,
    )

    class Stopwatch(keras.callbacks.Callback):
        times: list[float] = []

        def on_train_begin(self, logs: Any = None) -> None:
            self.times = []

        def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
            self.times.append(time.perf_counter())

    class EpochEnd(keras.callbacks.Callback):
        def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
            self.at = time.perf_counter()

    before, after, watch = EpochEnd(), EpochEnd(), Stopwatch()
    callbacks: list[Any] = []
    if options is not None:
        parts: list[EpochPart] = [WeightHistograms(), ExpLoss()]
        callbacks = [TensorBoard(folder, parts=parts, **options)]
    model.fit(
        data,
        shuffle=False,
        verbose=0,
        callbacks=[before, *callbacks, watch, after],
    )
    seconds = watch.times[-1] - watch.times[0]
    return seconds / (len(watch.times) - 1), after.at - before.at


def build(batch: int, steps: int, units: int, clusters: int, layers: int) -> Any:
    import keras

    from keras_cgru.models import ga_reader

    model = ga_reader(
        WORDS,
        EMBEDDING_DIM,
        units=units,
        num_clusters=clusters,
        num_layers=layers,
        logits=True,
    )
    model.compile(
        keras.optimizers.Adam(0.001, clipnorm=10.0),
        keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        weighted_metrics=["accuracy"],
    )
    return model


def batches(batch: int, length: int, units: int, clusters: int, *, steps: int) -> Any:
    """Random examples of one shape, other ones in each batch."""
    import keras
    import numpy as np

    class Data(keras.utils.PyDataset):
        def __len__(self) -> int:
            return steps

        def __getitem__(self, index: int) -> Any:
            random = np.random.default_rng(index)
            inputs: dict[str, np.ndarray] = {}
            for name, long in (("document", length), ("query", QUERY_LENGTH)):
                shape = (batch, long)
                inputs[name] = random.integers(1, WORDS, shape).astype("int32")
                ids = random.integers(0, clusters + 1, shape)
                inputs[f"{name}_clusters"] = ids.astype("int32")
                inputs[f"{name}_mask"] = np.ones(shape, bool)
            places = random.random((batch, CANDIDATES, length)) < 0.1
            inputs["candidate_positions"] = places
            inputs["candidate_mask"] = np.ones((batch, CANDIDATES), bool)
            return inputs, random.integers(0, CANDIDATES, batch).astype("int32")

    return Data()


if __name__ == "__main__":
    sys.exit(main())
