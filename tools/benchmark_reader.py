"""Measures a training step of the reader of long documents, as WikiHop's are.

    python tools/benchmark_reader.py --backend jax --output reader-jax.json
    python tools/benchmark_reader.py --backend jax --memory

Speed: Gated-Attention readers that differ in their recurrence, GRU and Coref-GRU, are
trained on random batches of one shape. They take turns within one run, so that what
else the machine does meets them all alike; the table gives the median over the turns,
and that of the ratios to the GRU's step of the same turn.

Memory: each reader is trained in a process of its own. The table gives the peak of its
resident memory, framework and compiler included, and how far training raised it.
"""

from __future__ import annotations

import dataclasses
import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from typing import Any, Literal

from keras_cgru.backend import choose_backend
from keras_cgru.command_line import check_counts, refuse, run_command
from keras_cgru.files import check_output, write_json

RECURRENCES = ("gru", "coref_gru")
NUM_WORDS, EMBEDDING_DIM, QUERY_LENGTH = 30_000, 100, 8
NUM_CHARACTERS, WORD_LENGTH = 120, 16
# Training steps of a process whose memory is measured.
MEMORY_STEPS = 3


@dataclasses.dataclass(frozen=True)
class Settings:
    """Measure a training step of the reader of long documents."""

    backend: Literal["jax", "tensorflow", "torch"] | None = None
    """Keras backend. Default: KERAS_BACKEND, or the first that is installed."""
    size: str = "16,2200,64,50"
    """BATCH,TIME,UNITS,CLUSTERS."""
    candidates: int = 79
    """Of each document."""
    occurrences: int = 400
    """Pairs of candidate and document position of each document."""
    layers: int = 3
    """Of the reader."""
    no_characters: bool = False
    """Word vectors alone."""
    repeats: int = 9
    """Turns of each reader, a step each."""
    memory: bool = False
    """Memory, not speed."""
    memory_case: Literal["gru", "coref_gru"] | None = None
    """One row of --memory, in this process."""
    output: str | None = None
    """Also write the figures to this JSON file."""


def main(arguments: Sequence[str] | None = None) -> int:
    return run_command(
        benchmark,
        Settings,
        name="benchmark_reader",
        description=__doc__,
        # What was measured is to be written even if nobody reads along any more.
        outlives_pipe=True,
        arguments=arguments,
    )


def benchmark(settings: Settings) -> None:
    check_counts(settings, "candidates occurrences layers repeats")
    parts = settings.size.split(",")
    if len(parts) != 4 or not all(part.isdecimal() and int(part) for part in parts):
        refuse("size", "four positive integers, like 16,2200,64,50", settings.size)
    output = None if settings.output is None else check_output(settings.output)
    backend = choose_backend(settings.backend)
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
    if settings.memory_case is not None:
        print(*measure_memory(settings.memory_case, settings))
        return
    print(f"\n{backend}, (batch, time, units, clusters) = ({settings.size})")
    kind = "memory" if settings.memory else "speed"
    rows = memory_rows(settings, backend) if settings.memory else speed_rows(settings)
    if output is not None:
        from keras_cgru.training import environment

        setting = dataclasses.asdict(settings)
        del setting["output"]
        write_json(output, {"machine": environment(), "settings": setting, kind: rows})


def speed_rows(settings: Settings) -> list[dict[str, Any]]:
    """A row for each reader: a step in seconds, and its ratio to the GRU's."""
    models = {name: build(name, settings) for name in RECURRENCES}
    seconds: dict[str, list[float]] = {name: [] for name in RECURRENCES}
    for turn in range(settings.repeats + 1):
        data = batch(settings, seed=turn)
        for name, model in models.items():
            start = time.perf_counter()
            model.train_on_batch(*data)
            if turn:  # The first one compiles.
                seconds[name].append(time.perf_counter() - start)
    rows = []
    for name, took in seconds.items():
        ratios = (a / b for a, b in zip(took, seconds["gru"], strict=True))
        row = {
            "recurrence": name,
            "parameters": models[name].count_params(),
            "seconds": round(statistics.median(took), 4),
            "ratio": round(statistics.median(ratios), 3),
        }
        print(f"  {name:10} {row['seconds']:8.3f} s a step, {row['ratio']:.2f} x GRU")
        rows.append(row)
    return rows


def memory_rows(settings: Settings, backend: str) -> list[dict[str, Any]]:
    """A row for each reader, from a process of its own: MiB."""
    rows = []
    for name in RECURRENCES:
        options = [f"--backend={backend}", f"--memory-case={name}"]
        for field in ("size", "candidates", "occurrences", "layers"):
            options.append(f"--{field}={getattr(settings, field)}")
        if settings.no_characters:
            options.append("--no-characters")
        command = [sys.executable, __file__, *options]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        peak, growth = map(float, done.stdout.split()[-2:])
        print(f"  {name:10} peak {peak:8.0f} MiB, of which training {growth:8.0f} MiB")
        rows.append({"recurrence": name, "peak_mib": peak, "growth_mib": growth})
    return rows


def measure_memory(recurrence: str, settings: Settings) -> tuple[float, float]:
    """Peak of this process's memory, and how far training raised it, in MiB."""
    model, data = build(recurrence, settings), batch(settings, seed=0)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(MEMORY_STEPS):
        model.train_on_batch(*data)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return round(peak / 1024, 1), round((peak - before) / 1024, 1)


def build(recurrence: str, settings: Settings) -> Any:
    """The reader of the paper's WikiHop setting."""
    import keras

    from keras_cgru.models import ga_reader

    *_, units, num_clusters = map(int, settings.size.split(","))
    model = ga_reader(
        NUM_WORDS,
        EMBEDDING_DIM,
        recurrence=recurrence,
        units=units,
        num_layers=settings.layers,
        num_clusters=num_clusters,
        dropout=0.2,
        query_word_layer=1,
        num_characters=None if settings.no_characters else NUM_CHARACTERS,
        occurrences=True,
        logits=True,
    )
    loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    model.compile(keras.optimizers.Adam(5e-4, clipnorm=10.0), loss)
    return model


def batch(settings: Settings, seed: int) -> tuple[dict[str, Any], Any]:
    """Random documents without padding, and words of 1 to 16 characters."""
    import numpy as np

    rng = np.random.default_rng(seed)
    rows, time_steps, _, clusters = map(int, settings.size.split(","))
    inputs = {}
    for text, length in (("document", time_steps), ("query", QUERY_LENGTH)):
        shape = (rows, length)
        inputs[text] = rng.integers(1, NUM_WORDS, shape)
        inputs[f"{text}_clusters"] = rng.integers(0, clusters + 1, shape)
        if not settings.no_characters:
            letters = rng.integers(1, NUM_CHARACTERS, (*shape, WORD_LENGTH))
            lengths = np.clip(rng.poisson(4.5, shape), 1, WORD_LENGTH)
            real = np.arange(WORD_LENGTH) < lengths[..., None]
            inputs[f"{text}_characters"] = np.where(real, letters, 0)
    highest = [settings.candidates, time_steps]
    pairs = rng.integers(0, highest, (rows, settings.occurrences, 2))
    inputs["candidate_occurrences"] = pairs
    arrays = {name: array.astype("int32") for name, array in inputs.items()}
    for name in ("document", "query"):
        arrays[f"{name}_mask"] = np.ones(arrays[name].shape, bool)
    arrays["candidate_mask"] = np.ones((rows, settings.candidates), bool)
    return arrays, pairs[:, 0, 0].astype("int32")


if __name__ == "__main__":
    sys.exit(main())
