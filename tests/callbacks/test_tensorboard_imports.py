"""What importing and using the callback needs, each in a process of its own."""

import subprocess
import sys
from pathlib import Path

import keras
import pytest

TRAIN = """
import sys
{before}
import keras, numpy as np
from keras_cgru.callbacks import TensorBoard
model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)])
model.compile(loss="mse")
callback = TensorBoard({folder!r})
print("constructed")
x = np.ones((4, 2), "float32")
y = np.ones((4, 1), "float32")
model.fit(x, y, validation_data=(x, y), verbose=0, callbacks=[callback])
print("tensorflow" in sys.modules)
"""


def run(folder, before=""):
    code = TRAIN.format(before=before, folder=str(folder))
    return subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=False,
        # The package is found without being installed.
        cwd=Path(__file__).resolve().parents[2],
    )


@pytest.mark.skipif(
    keras.config.backend() != "jax", reason="other backends may import TensorFlow"
)
def test_training_with_logs_does_not_import_tensorflow(tmp_path):
    done = run(tmp_path)
    assert done.stdout.split() == ["constructed", "False"], done.stderr
    assert list((tmp_path / "validation").iterdir())


def test_missing_tensorboard_stops_before_training_with_the_install_line(tmp_path):
    done = run(tmp_path, before="sys.modules['tensorboard'] = None")
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.splitlines()[-1] == (
        "ImportError: TensorBoard logs need the `tensorboard` package: "
        'pip install "keras-cgru[recipes]"'
    )
    assert not list(tmp_path.iterdir())
