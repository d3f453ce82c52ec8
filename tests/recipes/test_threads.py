"""One command, one figure: whatever the number of cores and of jobs."""

import hashlib
import os
from contextlib import contextmanager

import keras
import numpy as np
import pytest

from keras_cgru.callbacks import read_metrics
from keras_cgru.files import read_json

pytestmark = pytest.mark.skipif(
    not hasattr(os, "sched_getaffinity") or len(os.sched_getaffinity(0)) < 2,
    reason="needs a system that assigns cores, and two of them",
)
# Wide enough for a backend to share a product out, if it may.
BABI = "--simulated --tasks 1 --limit 64 --layers 1 --updates 10".split()
LAMBADA = "--simulated --limit 128 --layers 1 --epochs 1".split()


@contextmanager
def cores(number):
    """What is started meanwhile may use so many cores."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, sorted(before)[:number])
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def figures(folder):
    """All that a run gives but times; the weights as their hash."""
    rows = [
        {name: value for name, value in row.items() if name != "seconds"}
        for row in read_metrics(folder / "metrics.csv")
    ]
    weights = hashlib.sha256()
    model = keras.models.load_model(folder / "best.keras", compile=False)
    for array in model.get_weights():
        weights.update(np.ascontiguousarray(array).tobytes())
    predictions = (folder / "predictions.jsonl").read_text(encoding="utf-8")
    return rows, weights.hexdigest(), predictions


# As users run them: the tests themselves run with fewer optimisations.
USUAL = {"JAX_DISABLE_MOST_OPTIMIZATIONS": None}


@pytest.fixture(scope="module")
def train(babi, tmp_path_factory):
    """`train(num_cores, *options)`: the figures of two bAbI cells."""
    folder = tmp_path_factory.mktemp("threads")

    def run(num_cores, *options):
        name = "-".join(map(str, (num_cores, *options))).replace("--", "")
        with cores(num_cores):
            arguments = *BABI, "--seeds", 2, *options, "--run-dir", name
            babi.succeed(folder, *arguments, **USUAL)
        cells = sorted((folder / name).rglob("seed-*"))
        assert len(cells) == 2
        return [figures(cell) for cell in cells]

    return run


@pytest.fixture(scope="module")
def on_one_core(train):
    return train(1)


@pytest.mark.parametrize(("num_cores", "num_jobs"), [(2, 1), (2, 2)])
def test_babi_on_more_cores(train, on_one_core, num_cores, num_jobs):
    assert train(num_cores, "--jobs", num_jobs) == on_one_core


def test_lambada_on_more_cores(recipe, tmp_path):
    """Two threads, on one core as well."""
    for number in (1, 2):
        with cores(number):
            recipe.succeed(tmp_path, *LAMBADA, "--run-dir", number, **USUAL)
    assert figures(tmp_path / "1") == figures(tmp_path / "2")
    assert read_json(tmp_path / "1" / "config.json")["settings"]["threads"] == 2
