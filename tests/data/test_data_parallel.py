"""`keras.distribution.DataParallel` over two virtual devices, in a process of its own.

JAX alone: Keras distributes on no other backend that runs on a CPU.
"""

import os
import subprocess
import sys
from pathlib import Path

import keras
import pytest

TESTS = Path(__file__).parents[1]
SCRIPT = """
import keras, numpy as np, sys

devices = keras.distribution.list_devices("cpu")
assert len(devices) == 2
parallel = keras.distribution.DataParallel(devices=devices)
keras.distribution.set_distribution(parallel)
from keras_cgru.data import BucketLayout, Example, ReaderDataset, Vocabulary
from tiny_model import tiny_model

words = ("a", "b", "c")
examples = [
    Example(str(n), words[: 1 + n % 3] * (1 + n % 4), ("q",), (("a",),), ("a",))
    for n in range(9)
]
vocabulary, layout = Vocabulary.build(examples), BucketLayout.from_examples(examples)


def make(**options):
    return ReaderDataset(examples, vocabulary, layout, **options)

"""


def run(script):
    environment = {
        **os.environ,
        "KERAS_BACKEND": "jax",
        "JAX_PLATFORMS": "cpu",
        "XLA_FLAGS": "--xla_force_host_platform_device_count=2",
        "PYTHONPATH": os.pathsep.join([str(TESTS), str(TESTS.parent)]),
    }
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT + script],
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


pytestmark = pytest.mark.skipif(
    keras.backend.backend() != "jax",
    reason="Keras has data parallelism on virtual CPU devices on JAX alone",
)


def test_full_batches_are_shared_without_losing_an_example():
    output = run(
        """
data = make(batch_size=4, full_batches=True, shuffle_seed=1)
model = tiny_model()
model.set_weights([np.ones((1, 1))])  # What occurs scores above padding.
model.compile(
    "sgd",
    keras.losses.SparseCategoricalCrossentropy(from_logits=True),
    weighted_metrics=["accuracy"],
)
model.fit(data, epochs=2, validation_data=make(batch_size=4, full_batches=True),
          shuffle=False, verbose=0)
rows = dict(zip(data.order.tolist(), model.predict(data, verbose=0)))
print(len(rows), model.evaluate(data, verbose=0, return_dict=True)["accuracy"])
"""
    )
    # The one candidate is always right.
    assert output.split() == ["9", "1.0"]


def test_an_uneven_batch_is_refused_before_training():
    output = run(
        """
for options in ({"batch_size": 4}, {"batch_size": 3, "full_batches": True}):
    try:
        make(**options)
    except ValueError as error:
        print(error)
keras.distribution.set_distribution(None)
data = make(batch_size=4)
keras.distribution.set_distribution(parallel)
try:
    tiny_model().fit(data, verbose=0)
except ValueError as error:
    print(error)
"""
    )
    message = (
        "Every batch must be a multiple of 2, the devices of `keras.distribution` "
        "that share it: choose such a `batch_size` and `full_batches=True`. "
        "Received: a batch of "
    )
    assert output.splitlines() == [message + "1", message + "3", message + "1"]
