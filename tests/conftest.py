"""Fixtures that several folders share; each is neutral to the Keras backend."""

from __future__ import annotations

import ctypes
import gc
import importlib.util
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

# Keras itself would ask for TensorFlow, whatever is installed.
INSTALLED = [b for b in ("jax", "tensorflow", "torch") if importlib.util.find_spec(b)]
os.environ.setdefault("KERAS_BACKEND", INSTALLED[0] if INSTALLED else "tensorflow")
# A shell starts what runs in its background with SIGINT ignored, and the recipes that
# the tests interrupt would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)
# The tests compile far more than they compute. To be set before JAX is imported.
os.environ.setdefault("JAX_DISABLE_MOST_OPTIMIZATIONS", "1")

# ruff: noqa: E402
import keras
import numpy as np
import pytest
from keras import ops
from recurrence import Recurrence, compile_call

from keras_cgru import CorefGRU, CorefGRUCell

ROOT = Path(__file__).resolve().parents[1]
# Most of what the tests hold is compiled programs, and few are run in two files.
MOST_MEMORY = 2**31


@pytest.fixture(autouse=True, scope="module")
def _forget_programs() -> Iterator[None]:
    yield
    if not STATM.exists() or _resident_memory() < MOST_MEMORY:
        return
    if keras.backend.backend() == "jax":
        import jax

        jax.clear_caches()
    keras.utils.clear_session()
    gc.collect()
    # Freed memory stays with glibc otherwise.
    if trim := getattr(ctypes.CDLL(None), "malloc_trim", None):
        trim(0)


STATM = Path("/proc/self/statm")  # on Linux


def _resident_memory() -> int:
    """In bytes."""
    pages = int(STATM.read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


# Options of `keras.layers.RNN`; what is left is the cell's.
RNN_OPTIONS = (
    "return_sequences",
    "return_state",
    "go_backwards",
    "stateful",
    "unroll",
    "zero_output_for_mask",
)


def cell_in_rnn(units: int, num_clusters: int = 50, **options: Any) -> Recurrence:
    outer = {name: options.pop(name) for name in RNN_OPTIONS if name in options}
    cell = CorefGRUCell(units, num_clusters, **options)
    return Recurrence(keras.layers.RNN(cell, **outer), packed=True)


def coref_gru(units: int, num_clusters: int = 50, **options: Any) -> Recurrence:
    return Recurrence(CorefGRU(units, num_clusters, **options), packed=False)


# A further implementation is one more line here; all that is said of the recurrence
# is then tested on it too. "CorefGRU" takes its backend's kernel where it has one, and
# stock `RNN` over the cell where its settings forbid that (unrolled, other functions).
IMPLEMENTATIONS = {
    "RNN(CorefGRUCell)": cell_in_rnn,
    "CorefGRU": coref_gru,
}


@pytest.fixture(scope="session")
def compiled() -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    return compile_call


@pytest.fixture(scope="session")
def implementations() -> dict[str, Callable[..., Recurrence]]:
    return IMPLEMENTATIONS


@pytest.fixture(params=IMPLEMENTATIONS, scope="session")
def make_recurrence(request: pytest.FixtureRequest) -> Callable[..., Recurrence]:
    """Builds a recurrence, `make_recurrence(units, num_clusters, **options)`."""
    return IMPLEMENTATIONS[request.param]


@pytest.fixture(scope="session")
def value_and_gradients() -> Callable[..., tuple[list, list, list]]:
    """`(layer, call, tensors, cotangents)` -> outputs, and gradients of
    sum(output * cotangent) for the tensors and for the layer's trainable weights.

    `call(*tensors)` gives a list of outputs. All results are NumPy arrays.
    """
    backends = {"jax": _jax, "tensorflow": _tensorflow, "torch": _torch}
    return backends[keras.backend.backend()]


def _loss(outputs: list, cotangents: list) -> Any:
    pairs = zip(outputs, cotangents, strict=True)
    return sum(
        ops.sum(ops.cast(out, keras.backend.standardize_dtype(given.dtype)) * given)
        for out, given in pairs
    )


def _numpy(*parts: Any) -> tuple:
    def convert(tensor: Any) -> Any:
        return None if tensor is None else ops.convert_to_numpy(tensor)

    return tuple([convert(tensor) for tensor in part] for part in parts)


def _jax(layer: Any, call: Any, tensors: list, cotangents: list) -> tuple:
    import jax

    variables = layer.trainable_variables

    def stateless(values: list, tensors: list) -> Any:
        pairs = list(zip(variables, values, strict=True))
        with keras.StatelessScope(state_mapping=pairs):
            outputs = call(*tensors)
        return _loss(outputs, cotangents), outputs

    differentiate = jax.value_and_grad(stateless, argnums=(0, 1), has_aux=True)
    (_, outputs), (d_weights, d_tensors) = jax.jit(differentiate)(
        [variable.value for variable in variables],
        [jax.numpy.asarray(tensor) for tensor in tensors],
    )
    return _numpy(outputs, d_tensors, d_weights)


def _tensorflow(layer: Any, call: Any, tensors: list, cotangents: list) -> tuple:
    import tensorflow as tf

    tensors = [tf.convert_to_tensor(tensor) for tensor in tensors]
    variables = [variable.value for variable in layer.trainable_variables]
    with tf.GradientTape() as tape:
        tape.watch(tensors)
        outputs = call(*tensors)
        loss = _loss(outputs, cotangents)
    gradients = tape.gradient(loss, [*tensors, *variables])
    # The embedding's gradient is sparse.
    dense = [None if g is None else tf.convert_to_tensor(g) for g in gradients]
    return _numpy(outputs, dense[: len(tensors)], dense[len(tensors) :])


def _torch(layer: Any, call: Any, tensors: list, cotangents: list) -> tuple:
    import torch

    tensors = [ops.convert_to_tensor(tensor).requires_grad_() for tensor in tensors]
    variables = [variable.value for variable in layer.trainable_variables]
    outputs = call(*tensors)
    gradients = torch.autograd.grad(
        _loss(outputs, [ops.convert_to_tensor(given) for given in cotangents]),
        [*tensors, *variables],
        allow_unused=True,
    )
    return _numpy(outputs, gradients[: len(tensors)], gradients[len(tensors) :])


@pytest.fixture(scope="session")
def run_python() -> Callable[[str], str]:
    """Runs a script in a new process on the same backend; gives what it printed."""

    def run(script: str) -> str:
        environment = {
            **os.environ,
            "KERAS_BACKEND": keras.backend.backend(),
            "PYTHONPATH": str(ROOT),
            "TF_CPP_MIN_LOG_LEVEL": "3",
        }
        done = subprocess.run(
            [sys.executable, "-c", script],
            env=environment,
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert done.returncode == 0, done.stderr[-3000:]
        return done.stdout

    return run


@pytest.fixture(scope="session")
def randomise() -> Callable[..., None]:
    """Gives a layer's weights random values: a zero bias would hide its faults."""

    def fill(layer: Any, seed: int = 0, scale: float = 0.5) -> None:
        rng = np.random.default_rng(seed)
        layer.set_weights(
            [rng.normal(0, scale, w.shape).astype(w.dtype) for w in layer.get_weights()]
        )

    return fill
