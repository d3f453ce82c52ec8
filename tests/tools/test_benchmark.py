"""The benchmark runs and reports every layer; what it measures is not tested."""

import json
import os
import subprocess
import sys
from pathlib import Path

import keras
import pytest

ROOT = Path(__file__).resolve().parents[2]


def benchmark(*options):
    return subprocess.run(
        [sys.executable, str(ROOT / "tools" / "benchmark.py"), *options],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=300,
    )


def test_every_layer_is_measured(tmp_path):
    output = tmp_path / "figures.json"
    backend = keras.backend.backend()
    options = ["--backend", backend, "--sizes", "2,3,4,2", "--repeats", "1"]
    done = benchmark(*options, "--output", str(output))
    assert done.returncode == 0, done.stderr[-2000:]
    results = json.loads(output.read_text())
    assert results["machine"]["backend"] == backend
    rows = {row["layer"]: row for row in results["speed"]}
    assert list(rows) == ["GRU", "RNN(GRUCell)", "RNN(CorefGRUCell)", "CorefGRU"]
    for row in rows.values():
        assert row["train_ms"] > 0 and row["predict_ms"] > 0
        assert row["layer"] in done.stdout
    assert rows["GRU"]["train_ratio"] == rows["GRU"]["predict_ratio"] == 1
    # The layer has the cell's weights, and both the keys more than a GRU's.
    assert rows["CorefGRU"]["parameters"] == rows["RNN(CorefGRUCell)"]["parameters"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--sizes", "2,3,4"], "four positive integers"),
        (["--sizes", "2,0,4,1"], "Received: 2,0,4,1"),
        (["--repeats", "0"], "--repeats must be at least 1. Received: 0"),
        (["--backend", "theano"], "invalid choice: 'theano'"),
    ],
)
def test_wrong_options(options, message):
    done = benchmark(*options)
    assert done.returncode == 2
    assert message in done.stderr
