"""Models leave Keras: what another program reads back predicts the same."""

import keras
import numpy as np
import pytest
from layers import harness

BACKEND = keras.backend.backend()
# The exported program is compiled by another compiler; outputs are of size 1.
CLOSE = {"rtol": 1e-5, "atol": 1e-5}
SIZES = [(2, 5), (3, 9)]
# Batch and time are symbols that both inputs share; JAX cannot know that of None.
POLYMORPHIC = {"polymorphic_shapes": [["(batch, time, 3)", "(batch, time)"]]}

WITHOUT_KERNEL = {
    ("jax", "test_saved_model_serves_any_batch_and_length"),
    ("tensorflow", "test_onnx_runs_without_keras"),
    ("torch", "test_onnx_runs_without_keras"),
}


def _batch(batch, time):
    rng = np.random.default_rng(time)
    x = rng.normal(size=(batch, time, harness.DIM)).astype("float32")
    clusters = rng.integers(0, harness.NUM_CLUSTERS + 2, (batch, time))
    return x, clusters.astype("int32")


@pytest.fixture
def model(make_recurrence, implementations, request):
    """Both directions, with random weights, called once (ONNX asks for that)."""
    # Programs of the kernels that the exporters do not know: see docs/compatibility.md.
    is_layer = make_recurrence is implementations["CorefGRU"]
    no_kernel = is_layer and (BACKEND, request.function.__name__) in WITHOUT_KERNEL
    options = {"use_kernel": False} if no_kernel else {}
    recurrence = make_recurrence(harness.UNITS, harness.NUM_CLUSTERS, **options)
    model = harness.functional(recurrence.wrapped(keras.layers.Bidirectional))
    harness.predict(model)
    rng = np.random.default_rng(1)
    model.set_weights([0.5 * rng.normal(size=w.shape) for w in model.get_weights()])
    return model


def test_saved_model_serves_any_batch_and_length(model, tmp_path):
    if BACKEND == "torch":
        pytest.skip("Keras exports a SavedModel from TensorFlow and JAX only")
    tf = pytest.importorskip("tensorflow")
    options = {"jax2tf_kwargs": POLYMORPHIC} if BACKEND == "jax" else {}
    folder = str(tmp_path / "served")
    model.export(folder, format="tf_saved_model", verbose=False, **options)
    served = tf.saved_model.load(folder)
    for size in SIZES:
        x, clusters = _batch(*size)
        got = served.serve([tf.constant(x), tf.constant(clusters)])
        want = harness.predict(model, x, clusters)
        np.testing.assert_allclose(got.numpy(), want, **CLOSE)


def test_onnx_runs_without_keras(model, tmp_path):
    """Any batch and length from TensorFlow; from PyTorch those of its signature."""
    runtime = pytest.importorskip("onnxruntime")
    package = {"tensorflow": "tf2onnx", "jax": "jax2onnx", "torch": "onnxscript"}
    pytest.importorskip(package[BACKEND])
    sizes, options = SIZES, {}
    path = str(tmp_path / "model.onnx")
    if BACKEND == "torch":
        sizes = SIZES[:1]
        x, clusters = _batch(*sizes[0])
        options["input_signature"] = [
            [
                keras.InputSpec(shape=x.shape, dtype="float32", name="x"),
                keras.InputSpec(shape=clusters.shape, dtype="int32", name="clusters"),
            ]
        ]
    model.export(path, format="onnx", verbose=False, **options)
    session = runtime.InferenceSession(path)
    names = [given.name for given in session.get_inputs()]
    for size in sizes:
        x, clusters = _batch(*size)
        feed = dict(zip(names, (x, clusters), strict=True))
        got = session.run(None, feed)[0]
        want = harness.predict(model, x, clusters)
        np.testing.assert_allclose(got, want, **CLOSE)
