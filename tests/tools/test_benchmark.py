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
        (["--sizes", "2,3,4,-1"], "--sizes must be four positive integers, like 32,"),
        (["--memory-case", "9"], "--memory-case must be five whole numbers"),
        (["--output", "gs://b/x.json"], "--output must be a path of this machine"),
        (["--output", "/dev/null/x.json"], "--output must lie in a folder. Received"),
        (["--output", "/tmp"], "--output must be a file. Received: /tmp, a folder"),
        (["--repeats", "0"], "--repeats must be at least 1. Received: 0"),
        (["--backend", "theano"], "invalid choice 'theano'"),
    ],
)
def test_wrong_options(options, message):
    """Refused before anything is measured."""
    done = benchmark(*options)
    assert done.returncode == 2
    assert message in done.stderr and "Traceback" not in done.stderr
    assert done.stdout == ""


def test_the_figures_of_a_run_that_nobody_reads_are_written(tmp_path):
    """Into a folder that was not there, below the home folder."""
    options = "--sizes 2,3,4,2 --repeats 1 --output ~/new/figures.json"
    tool, backend = ROOT / "tools" / "benchmark.py", keras.backend.backend()
    done = subprocess.run(
        [
            *("bash", "-c"),
            f"{sys.executable} {tool} --backend {backend} {options} | true",
        ],
        env=os.environ
        | {"PYTHONPATH": str(ROOT), "HOME": str(tmp_path), "PYTHONUNBUFFERED": "1"},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert "Traceback" not in done.stderr and "BrokenPipe" not in done.stderr
    results = json.loads((tmp_path / "new" / "figures.json").read_text())
    assert len(results["speed"]) == 4
