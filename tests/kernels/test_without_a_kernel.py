"""On a backend without a kernel the layer is stock `RNN` over the cell."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import keras
import numpy as np

from keras_cgru import CorefGRU

SCRIPT = """
import keras, numpy as np
from keras_cgru import CorefGRU
rng = np.random.default_rng(0)
x = rng.normal(size=(2, 5, 3)).astype("float32")
clusters = np.array([[1, 0, 1, 2, 2], [3, 3, 0, 1, 1]])
layer = CorefGRU(4, 3, return_sequences=True)
layer.build([x.shape, clusters.shape])
layer.set_weights([rng.normal(size=w.shape) for w in layer.weights])
print(keras.backend.backend(), *np.asarray(layer([x, clusters])).ravel().tolist())
try:
    CorefGRU(4, use_kernel=True)([x, clusters])
except ValueError as error:
    print(error)
"""


def test_inference_on_the_numpy_backend():
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        env={
            **os.environ,
            "KERAS_BACKEND": "numpy",
            "PYTHONPATH": str(Path(__file__).resolve().parents[2]),
        },
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    first, refusal = done.stdout.splitlines()[-2:]
    backend, *values = first.split()
    assert backend == "numpy"
    rng = np.random.default_rng(0)
    x = rng.normal(size=(2, 5, 3)).astype("float32")
    clusters = np.array([[1, 0, 1, 2, 2], [3, 3, 0, 1, 1]])
    layer = CorefGRU(4, 3, return_sequences=True)
    layer.build([x.shape, clusters.shape])
    layer.set_weights([rng.normal(size=w.shape) for w in layer.weights])
    wanted = keras.ops.convert_to_numpy(layer([x, clusters])).ravel()
    np.testing.assert_allclose(np.array(values, "float32"), wanted, atol=1e-5)
    assert "use_kernel=True" in refusal and "numpy" in refusal
