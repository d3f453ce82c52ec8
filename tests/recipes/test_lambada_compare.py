"""`tools/compare.py` on two runs of the recipe."""

import re
import subprocess
import sys
from pathlib import Path

TOOL = Path(__file__).resolve().parents[2] / "tools" / "compare.py"


def test_coref_gru_against_gru(finished_run, runs, recipe):
    gru = runs["gru"].result()
    done = subprocess.run(
        [sys.executable, str(TOOL), str(finished_run.folder), str(gru.folder)],
        env=recipe.environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    for letter, run, model in (("A", finished_run, "coref_gru"), ("B", gru, "gru")):
        accuracy = run.json("metrics.json")["accuracy_used"]
        line = rf"^{letter}  lambada {model} \(.*seed 1\): {accuracy:.4f} "
        assert re.search(line, done.stdout, re.M), done.stdout
    assert re.search(r"p = \d", done.stdout)
