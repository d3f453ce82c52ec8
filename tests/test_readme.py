"""The README's code runs as it stands, where JAX is the only backend."""

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

README = Path(__file__).resolve().parents[1] / "README.md"

# As if neither were installed: the modules cannot be found, as a package that asks
# before it imports sees it, nor imported.
JAX_ALONE = """
import importlib.machinery
find_spec = importlib.machinery.PathFinder.find_spec

def find(name, path=None, target=None):
    if name.split(".")[0] in ("tensorflow", "torch"):
        return None
    return find_spec(name, path, target)

importlib.machinery.PathFinder.find_spec = find
"""


def blocks(language: str) -> list[str]:
    text = README.read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


def run_on_jax_alone(code: str, folder: Path, backend: str | None = None) -> None:
    if importlib.util.find_spec("jax") is None:
        pytest.skip("JAX is not installed")
    environment = {**os.environ, "PYTHONPATH": str(README.parent)}
    environment.pop("KERAS_BACKEND", None)
    if backend is not None:
        environment["KERAS_BACKEND"] = backend
    done = subprocess.run(
        [sys.executable, "-c", JAX_ALONE + code],
        env=environment,
        cwd=folder,  # The code writes files.
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr[-3000:]


def test_the_python_blocks_run_in_their_order(tmp_path):
    """With what the README says to export, and in one process as a reader would."""
    (exported,) = {
        line.removeprefix("export KERAS_BACKEND=").split()[0]
        for block in blocks("sh")
        for line in block.splitlines()
        if line.startswith("export KERAS_BACKEND=")
    }
    code = blocks("python")
    assert len(code) >= 3
    run_on_jax_alone("\n".join(code), tmp_path, exported)


def test_where_ours_is_imported_first_nothing_need_be_exported(tmp_path):
    run_on_jax_alone(
        """
from keras_cgru.coref import SieveResolver
from keras_cgru import CorefGRU
import keras
assert keras.backend.backend() == "jax"
""",
        tmp_path,
    )


def test_the_files_that_its_commands_name_are_there():
    named = {
        word
        for block in blocks("sh")
        for word in block.split()
        if re.fullmatch(r"(recipes|tools)/\w+\.py", word)
    }
    assert len(named) >= 5
    assert all((README.parent / name).is_file() for name in named)
