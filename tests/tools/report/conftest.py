"""What the tests of tools/report.py share."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import keras
import pytest
from babi_cells import write_folder

ROOT = Path(__file__).resolve().parents[3]
SCRIPT = ROOT / "tools" / "report.py"


@pytest.fixture
def script():
    return SCRIPT


@pytest.fixture
def environment():
    return os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}


@pytest.fixture
def tool():
    spec = importlib.util.spec_from_file_location("report", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def report(tool, capsys, monkeypatch):
    """Runs the command line in this process: status, output, errors."""
    monkeypatch.setenv("KERAS_BACKEND", keras.backend.backend())

    def run(*arguments):
        status = tool.main([str(argument) for argument in arguments])
        printed = capsys.readouterr()
        return status, printed.out, printed.err

    return run


@pytest.fixture
def runs(tmp_path):
    """Two run folders: two models on task 3, and one of them with links dropped."""
    for seed in (1, 2):
        write_folder(tmp_path / "a", "ga_coref_gru", 3, seed, 0.9, 0.5 + seed / 10)
        write_folder(tmp_path / "a", "ga_gru", 3, seed, 0.2 * seed, 0.9 - seed / 10)
    write_folder(tmp_path / "b", "ga_coref_gru", 3, 1, 0.4, dropped_mentions=0.5)
    return tmp_path / "a", tmp_path / "b"


@pytest.fixture
def process(environment):
    def run(*arguments, before="", after="", **variables):
        """Runs the script in a process of its own, with code before and after it."""
        code = (
            f"import runpy, sys\nsys.argv = {[str(SCRIPT), *map(str, arguments)]!r}\n"
            f"{before}\ntry:\n    runpy.run_path(sys.argv[0], run_name='__main__')\n"
            f"finally:\n    pass\n    {after}\n"
        )
        return subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
            timeout=300,
            env=environment | variables,
        )

    return run
