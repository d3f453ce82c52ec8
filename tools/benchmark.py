"""Measures speed and memory of Coref-GRU layers beside those of Keras's GRU.

    python tools/benchmark.py --backend jax --output benchmark-jax.json
    python tools/benchmark.py --backend tensorflow --sizes 32,70,64,13 --repeats 30
    python tools/benchmark.py --backend jax --memory

Speed: for each size (batch, time, units, clusters) a model of one layer, mean pooling
and one output unit is trained, and run, on one batch shape through `fit` and `predict`.
The layers take turns within one run, so that what else the machine does meets them all
alike; the table gives the median over the turns, and its ratio to `keras.layers.GRU`.

Memory: the growth of the process's peak resident memory by training steps, after the
framework and the data are in memory; for each case the median of several processes.
"""

from __future__ import annotations

import dataclasses
import os
import platform
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any, Literal

from keras_cgru.backend import choose_backend
from keras_cgru.command_line import check_counts, refuse, run_command
from keras_cgru.files import check_output, write_json
from keras_cgru.processes import available_cores

SIZES = ("32,70,64,13", "16,1000,64,50", "64,100,256,15", "1,2000,64,50")
LAYERS = ["GRU", "RNN(GRUCell)", "RNN(CorefGRUCell)", "CorefGRU"]
MEMORY_TIMES = [500, 1000, 2000]
MEMORY_CLUSTERS = [5, 50]
# Stock RNNs take long over long texts; so many seconds are enough for a median.
SECONDS_A_TURN = 0.3
# What `fit` and `predict` do once a call (some 50 ms) is not a step's.
MIN_STEPS_A_TURN = 10
# One process's peak scatters by a tenth; the median of so many by far less.
MEMORY_PROCESSES = 7


@dataclasses.dataclass(frozen=True)
class Settings:
    """Measure Coref-GRU layers beside Keras's GRU."""

    backend: Literal["jax", "tensorflow", "torch"] | None = None
    """Keras backend. Default: KERAS_BACKEND, or the first that is installed."""
    sizes: tuple[str, ...] = SIZES
    """Each BATCH,TIME,UNITS,CLUSTERS."""
    repeats: int = 15
    """Turns of each layer."""
    bidirectional: bool = False
    """Also the layers in `Bidirectional`."""
    memory: bool = False
    """Memory, not speed."""
    memory_case: str | None = None
    """One number of --memory, in this process: LAYER,BATCH,TIME,UNITS,CLUSTERS."""
    output: str | None = None
    """Also write the figures to this JSON file."""


def main(arguments: Sequence[str] | None = None) -> int:
    return run_command(
        benchmark,
        Settings,
        name="benchmark",
        description=__doc__,
        # What was measured is to be written even if nobody reads along any more.
        outlives_pipe=True,
        arguments=arguments,
    )


def benchmark(settings: Settings) -> None:
    check(settings)
    output = None if settings.output is None else check_output(settings.output)
    backend = choose_backend(settings.backend)
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
    if settings.memory_case:
        print(memory_case(*numbers_of(settings.memory_case)))
        return
    results: dict[str, Any] = {"machine": machine()}
    if settings.memory:
        results["memory"] = measure_memory(backend)
    else:
        results["speed"] = [
            row
            for size in settings.sizes
            for row in measure_speed(size, settings.repeats, settings.bidirectional)
        ]
    if output is not None:
        write_json(output, results)


def check(settings: Settings) -> None:
    check_counts(settings, "repeats")
    for size in settings.sizes:
        if len(numbers_of(size)) != 4:
            refuse("sizes", f"four positive integers, like {SIZES[0]}", size)
    if settings.memory_case and len(numbers_of(settings.memory_case)) != 5:
        refuse("memory_case", "five whole numbers", settings.memory_case)


def numbers_of(text: str) -> list[int]:
    """The numbers between commas; none where one is missing or is 0."""
    parts = text.split(",")
    if not all(part.isascii() and part.isdecimal() for part in parts):
        return []
    numbers = [int(part) for part in parts]
    # The first of a memory case is the place of a layer, counted from 0.
    return numbers if all(numbers[len(numbers) == 5 :]) else []


def machine() -> dict[str, Any]:
    from keras_cgru.training import environment

    return {**environment(), "cores": available_cores(), "machine": platform.machine()}


def measure_speed(size: str, repeats: int, bidirectional: bool) -> list[dict[str, Any]]:
    """A row for each layer, alone and, if asked, in `Bidirectional`."""
    batch, steps, units, clusters = (int(part) for part in size.split(","))
    rows = []
    for wrapped in [False, True] if bidirectional else [False]:
        data = random_batch(batch, steps, units, clusters)
        models = {name: build(name, steps, units, clusters, wrapped) for name in LAYERS}
        print(f"\n(batch, time, units, clusters) = ({size}){' both' * wrapped}")
        timings = {
            kind: take_turns(
                {name: runner(model, data, kind) for name, model in models.items()},
                repeats,
            )
            for kind in ("train", "predict")
        }
        for name in LAYERS:
            row: dict[str, Any] = {
                "size": size,
                "bidirectional": wrapped,
                "layer": name,
                "parameters": models[name].count_params(),
            }
            for kind, medians in timings.items():
                row[f"{kind}_ms"] = round(1000 * medians[name], 3)
                row[f"{kind}_ratio"] = round(medians[name] / medians["GRU"], 3)
            rows.append(row)
            print(
                f"  {name:20} train {row['train_ms']:9.2f} ms "
                f"{row['train_ratio']:6.2f} x GRU   predict {row['predict_ms']:9.2f} "
                f"ms {row['predict_ratio']:6.2f} x GRU",
                flush=True,
            )
    return rows


def random_batch(batch: int, steps: int, units: int, clusters: int) -> dict[str, Any]:
    import numpy as np

    rng = np.random.default_rng(0)
    return {
        "x": rng.standard_normal((batch, steps, units)).astype("float32"),
        "num_clusters": clusters,
        "y": rng.standard_normal((batch, 1)).astype("float32"),
    }


def build(name: str, steps: int, units: int, clusters: int, wrapped: bool) -> Any:
    import keras
    from keras import layers

    from keras_cgru import CorefGRU, CorefGRUCell, pack_clusters

    x = keras.Input((steps, units), name="x")
    ids = keras.Input((steps,), dtype="int32", name="clusters")
    layer, inputs = {
        "GRU": lambda: (layers.GRU(units, return_sequences=True), x),
        "RNN(GRUCell)": lambda: (
            layers.RNN(layers.GRUCell(units), return_sequences=True),
            x,
        ),
        "RNN(CorefGRUCell)": lambda: (
            layers.RNN(CorefGRUCell(units, clusters), return_sequences=True),
            pack_clusters(x, ids),
        ),
        "CorefGRU": lambda: (
            CorefGRU(units, clusters, return_sequences=True),
            [x, ids],
        ),
    }[name]()
    layer = layers.Bidirectional(layer) if wrapped else layer
    y = layers.Dense(1)(layers.GlobalAveragePooling1D()(layer(inputs)))
    model = keras.Model([x, ids], y)
    model.compile("sgd", "mse")
    return model


def runner(model: Any, data: dict[str, Any], kind: str) -> Callable[[int], float]:
    """Runs so many steps on one batch shape, with new cluster ids at each.

    Ids that came again would hide what a compiler does anew for ids not yet seen. What
    is returned are the seconds from the first step to the last: when `fit` returns,
    TensorFlow ends its data pipeline, which takes a whole second in some calls and
    none in others.
    """
    import keras
    import numpy as np

    rng = np.random.default_rng(0)

    class Stopwatch(keras.callbacks.Callback):
        def on_train_begin(self, logs: Any = None) -> None:
            self.start = time.perf_counter()

        def on_train_end(self, logs: Any = None) -> None:
            self.seconds = time.perf_counter() - self.start

        on_predict_begin = on_train_begin

        def on_predict_batch_end(self, batch: int, logs: Any = None) -> None:
            self.outputs = logs["outputs"]

        def on_predict_end(self, logs: Any = None) -> None:
            # JAX may still be computing them.
            keras.tree.map_structure(keras.ops.convert_to_numpy, self.outputs)
            self.on_train_end()

    def run(steps: int) -> float:
        watch = Stopwatch()
        x, y = (np.concatenate([data[name]] * steps) for name in ("x", "y"))
        batch, length = data["x"].shape[:2]
        highest = data["num_clusters"] + 1
        ids = rng.integers(0, highest, (steps * batch, length)).astype("int32")
        options = {"batch_size": batch, "verbose": 0, "callbacks": [watch]}
        if kind == "train":
            model.fit([x, ids], y, shuffle=False, **options)
        else:
            model.predict([x, ids], **options)
        return watch.seconds

    return run


def take_turns(
    runners: dict[str, Callable[[int], float]], repeats: int
) -> dict[str, float]:
    """Median seconds a step, the layers taking turns."""
    steps = {name: steps_a_turn(run) for name, run in runners.items()}
    seconds: dict[str, list[float]] = {name: [] for name in runners}
    for _ in range(repeats):
        for name, run in runners.items():
            seconds[name].append(run(steps[name]) / steps[name])
    return {name: statistics.median(values) for name, values in seconds.items()}


def steps_a_turn(run: Callable[[int], float]) -> int:
    run(2)  # compiles
    fitting = round(2 * SECONDS_A_TURN / run(2))
    return max(MIN_STEPS_A_TURN, min(50, fitting))


def measure_memory(backend: str) -> list[dict[str, Any]]:
    """Growth of the peak resident memory: a median over processes for each case."""
    rows = []
    print("\nbatch 16, units 64: growth of the peak memory by training, MiB")
    for layer in ("CorefGRU", "RNN(CorefGRUCell)", "GRU"):
        for clusters in MEMORY_CLUSTERS if layer != "GRU" else MEMORY_CLUSTERS[:1]:
            cases = [
                f"{LAYERS.index(layer)},16,{steps},64,{clusters}"
                for steps in MEMORY_TIMES
            ]
            single = [
                [memory_of(case, backend) for _ in range(MEMORY_PROCESSES)]
                for case in cases
            ]
            series = [statistics.median(values) for values in single]
            rows.append(
                {"layer": layer, "clusters": clusters, "mib": series, "single": single}
            )
            values = "  ".join(f"{value:8.1f}" for value in series)
            print(f"  {layer:20} {clusters:3} clusters, time {MEMORY_TIMES}: {values}")
    return rows


def memory_of(case: str, backend: str) -> float:
    """Runs one case in a process of its own."""
    command = [sys.executable, __file__, "--backend", backend, "--memory-case", case]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return float(done.stdout.split()[-1])


def memory_case(layer: int, batch: int, steps: int, units: int, clusters: int) -> float:
    """MiB by which training raises this process's peak memory."""
    data = random_batch(batch, steps, units, clusters)
    model = build(LAYERS[layer], steps, units, clusters, wrapped=False)
    # A short text first: what the framework needs once is not the layer's.
    small = {**data, "x": data["x"][:1], "y": data["y"][:1]}
    runner(model, small, "train")(2)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    runner(model, data, "train")(3)
    return (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024


if __name__ == "__main__":
    sys.exit(main())
