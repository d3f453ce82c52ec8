"""Data needs no Keras; only batches do."""

import subprocess
import sys

import pytest

import keras_cgru.data

WITHOUT_KERAS = """
import sys
import types

# The package's own face is not what is tested here.
package = types.ModuleType("keras_cgru")
package.__path__ = [{folder!r}]
sys.modules["keras_cgru"] = package


class NoKeras:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("keras", "jax", "tensorflow", "torch"):
            raise ImportError(name)


sys.meta_path.insert(0, NoKeras())
import keras_cgru.data
import keras_cgru.data.babi.load
import keras_cgru.data.babi.results.tables
import keras_cgru.data.lambada.splits
from keras_cgru.data import Example, Vocabulary, read_glove, with_clusters

splits = keras_cgru.data.lambada.splits.load_splits(simulated=True, limit=3)
print(splits.test.num_used)
try:
    keras_cgru.data.ReaderDataset
except ImportError as error:
    print(error)
"""


def test_without_keras_and_backends():
    (folder,) = keras_cgru.__path__
    script = WITHOUT_KERAS.format(folder=folder)
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=120
    )
    assert done.stdout.splitlines() == ["3", "keras"], done.stderr


def test_every_name_is_there():
    for name in keras_cgru.data.__all__:
        assert getattr(keras_cgru.data, name).__name__ == name
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        keras_cgru.data.nothing  # noqa: B018
