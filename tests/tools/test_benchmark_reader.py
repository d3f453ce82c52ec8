"""The benchmark runs and reports each reader; what it measures is not tested."""

import json
import os
import subprocess
import sys
from pathlib import Path

import keras
import pytest

ROOT = Path(__file__).resolve().parents[2]
SMALL = [
    "--size=2,5,2,2",
    "--candidates=2",
    "--occurrences=3",
    "--layers=1",
    "--repeats=1",
]


def benchmark(*options):
    return subprocess.run(
        [sys.executable, str(ROOT / "tools" / "benchmark_reader.py"), *options],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=300,
    )


@pytest.mark.parametrize(
    ("options", "figure"),
    [([], "ratio"), (["--memory", "--no-characters"], "peak_mib")],
)
def test_each_reader_is_measured(tmp_path, options, figure):
    output = tmp_path / "figures.json"
    backend = keras.backend.backend()
    done = benchmark(f"--backend={backend}", *SMALL, *options, f"--output={output}")
    assert done.returncode == 0, done.stderr[-2000:]
    results = json.loads(output.read_text())
    assert results["machine"]["backend"] == backend
    rows = results["memory" if options else "speed"]
    assert [row["recurrence"] for row in rows] == ["gru", "coref_gru"]
    for row in rows:
        assert row[figure] > 0 and row["recurrence"] in done.stdout


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--size", "2,3,4"], "--size must be four positive integers, like 16,2200"),
        (["--size", "2,0,4,1"], "Received: 2,0,4,1"),
        (["--candidates", "0"], "--candidates must be at least 1. Received: 0"),
    ],
)
def test_wrong_options(options, message):
    """Refused before anything is measured."""
    done = benchmark(*options)
    assert done.returncode == 2
    assert message in done.stderr and "Traceback" not in done.stderr
    assert done.stdout == ""
