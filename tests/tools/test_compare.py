"""tools/compare.py through its real command line."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def run(*arguments, flags=(), **variables):
    path = os.pathsep.join([str(ROOT), *sys.path])
    return subprocess.run(
        [sys.executable, *flags, ROOT / "tools" / "compare.py", *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"PYTHONPATH": path} | variables,
    )


@pytest.fixture
def folders(tmp_path):
    """Two runs of three used examples out of four; B is right once where A is not."""
    for name, answers in (("a", ["x", "y", "y"]), ("b", ["x", "x", "y"])):
        folder = tmp_path / name
        folder.mkdir()
        lines = [
            {"id": str(i), "gold": "x", "predicted": answer, "probability": 0.5}
            for i, answer in enumerate(answers)
        ]
        (folder / "predictions.jsonl").write_text(
            "".join(json.dumps(line) + "\n" for line in lines)
        )
        correct = answers.count("x")
        metrics = {
            "recipe": "lambada",
            "model": f"reader {name}",
            "backend": "jax",
            "seed": 0,
            "num_examples": 4,
            "num_used": 3,
            "accuracy_used": correct / 3,
            "accuracy_overall": correct / 4,
        }
        (folder / "metrics.json").write_text(json.dumps(metrics))
    return tmp_path / "a", tmp_path / "b"


def test_text(folders):
    done = run(*folders)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "A  lambada reader a (jax, seed 0): 0.3333 of the 3 used, 0.2500 of all 4",
        "B  lambada reader b (jax, seed 0): 0.6667 of the 3 used, 0.5000 of all 4",
        "",
        "             B right   B wrong",
        "A right            1         0",
        "A wrong            1         1",
        "",
        "McNemar's exact test: p = 1",
    ]


def test_json(folders):
    done = run(*folders, "--json")
    assert done.returncode == 0, done.stderr
    content = json.loads(done.stdout)
    assert content["b"]["model"] == "reader b"
    assert content["mcnemar"]["only_b"] == 1


def test_errors_are_one_line_and_status_2(folders):
    (folders[1] / "predictions.jsonl").unlink()
    done = run(*folders)
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = [line for line in done.stderr.splitlines() if "compare:" in line]
    assert line.startswith(f"compare: {folders[1]}/predictions.jsonl: must be a file")
    assert "Traceback" not in done.stderr


def test_addresses_and_homes(folders):
    done = run("gs://bucket/a", folders[1])
    assert done.returncode == 2
    assert done.stderr.startswith("compare: RUN_A must be a path of this machine")
    home = str(folders[0].parent)
    assert run("~/a", "~/b", HOME=home).stdout == run(*folders).stdout


@pytest.mark.parametrize("flags", [[], ["-OO"]])
def test_any_encoding(folders, flags):
    path = folders[0] / "metrics.json"
    path.write_text(path.read_text().replace("reader a", "lé ’"), encoding="utf-8")
    done = run(*folders, flags=flags, PYTHONIOENCODING="ascii")
    assert done.stdout.startswith(r"A  lambada l\xe9 \u2019 (jax, seed 0)"), done.stderr
    done = run(*folders, "--json", flags=flags, PYTHONIOENCODING="ascii")
    assert json.loads(done.stdout)["a"]["model"] == "lé ’"
    assert run("--help", flags=flags, PYTHONIOENCODING="ascii").returncode == 0


def test_no_backend_is_loaded(folders):
    """Nor needed."""
    done = run(*folders, flags=["-X", "importtime"], KERAS_BACKEND="none")
    assert done.returncode == 0
    loaded = {line.split("|")[-1].strip() for line in done.stderr.splitlines()}
    assert not loaded & {"keras", "jax", "tensorflow", "torch"} and "json" in loaded
