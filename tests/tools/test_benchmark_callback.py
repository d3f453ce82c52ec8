"""The measurement of the callback runs; what it measures is not tested."""

import json
import os
import subprocess
import sys
from pathlib import Path

import keras
import pytest

pytest.importorskip("tensorboard", reason="the extra `recipes` is not installed")

ROOT = Path(__file__).resolve().parents[2]


def benchmark(*options):
    return subprocess.run(
        [sys.executable, str(ROOT / "tools" / "benchmark_callback.py"), *options],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=300,
    )


def test_every_case_is_measured(tmp_path):
    output = tmp_path / "figures.json"
    backend = keras.backend.backend()
    sizes = ["--size", "2,3,4,2", "--layers", "1", "--steps", "10", "--repeats", "1"]
    done = benchmark("--backend", backend, *sizes, "--output", str(output))
    assert done.returncode == 0, done.stderr[-2000:]
    results = json.loads(output.read_text())
    assert results["machine"]["backend"] == backend
    first, *others = results["callback"]
    assert (first["case"], first["ratio"]) == ("no callback", 1)
    assert len(others) == 3
    for row in others:
        assert row["ms"] > 0 and row["epoch_ms"] > 0
        assert row["case"] in done.stdout


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--size", "2,3,4"], "--size must be four positive integers, like 32,"),
        (["--size", "2,0,4,1"], "Received: 2,0,4,1"),
        (["--steps", "9"], "--steps must be at least 10. Received: 9"),
        (["--repeats", "0"], "--repeats must be at least 1. Received: 0"),
        (["--output", "/tmp"], "--output must be a file. Received: /tmp, a folder"),
    ],
)
def test_wrong_options(options, message):
    """Refused before anything is measured."""
    done = benchmark(*options)
    assert done.returncode == 2
    assert message in done.stderr
