"""What importing the package brings along, and what its files may import."""

import ast
from pathlib import Path

import keras
import pytest

ROOT = Path(__file__).resolve().parents[2]
BACKENDS = {"jax", "tensorflow", "torch"}

# A module that is None in `sys.modules` cannot be imported.
WITHOUT = """
import sys
for name in {blocked}:
    sys.modules[name] = None
import numpy as np
import keras_cgru
x = np.ones((1, 3, 2), "float32")
clusters = np.array([[1, 0, 1]])
reader = keras_cgru.models.ga_reader(5, 4, units=2, num_layers=1)
print(tuple(keras_cgru.CorefGRU(4)([x, clusters]).shape))
"""

ADDED = """
import sys
import keras
before = set(sys.modules)
import keras_cgru
print(*sorted({name.split(".")[0] for name in set(sys.modules) - before}))
"""


OTHERS = BACKENDS - {keras.backend.backend()}


def test_other_backends_are_not_needed(run_python):
    script = WITHOUT.format(blocked=sorted(OTHERS))
    assert run_python(script).splitlines()[-1] == "(1, 4)"


def test_import_adds_no_other_backend_to_what_keras_imports(run_python):
    """Plain Keras on TensorFlow imports JAX where it finds it, hence the difference."""
    added = set(run_python(ADDED).split())
    assert "keras_cgru" in added
    assert not added & OTHERS
    # The recipes' extras and the annotators' are imported where they are used.
    assert not added & {"tensorboard", "tyro", "scipy", "pyarrow", "nltk", "matplotlib"}


FILES = sorted(
    path
    for folder in ("keras_cgru", "recipes", "tools")
    for path in (ROOT / folder).rglob("*.py")
)


def _imported(path):
    """Dotted names that a file imports or reads off `keras`."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            yield f"{node.value.id}.{node.attr}"


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_file_imports_keras_src(path):
    """The internals of Keras move between its releases."""
    private = [
        name
        for name in _imported(path)
        if name == "keras.src" or name.startswith("keras.src.")
    ]
    assert not private


def test_the_search_for_keras_src_finds_each_form(tmp_path):
    path = tmp_path / "forms.py"
    for line in (
        "import keras.src",
        "import keras.src.backend as backend",
        "from keras import src",
        "from keras.src.layers import RNN",
        "import keras\nkeras.src.layers",
    ):
        path.write_text(line)
        assert any(name.startswith("keras.src") for name in _imported(path)), line
