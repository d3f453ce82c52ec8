"""What Keras's own tests ask of a recurrent layer, asked of a layer with two inputs.

`keras.testing` has no harness that calls a layer with features and ids, so this is
ours: one call, `check_layer`, sends a recurrence with its options through all that a
user does with a `keras.layers.GRU`, and fails with the name of what went wrong.
"""

from __future__ import annotations

import io

import keras
import numpy as np
from keras import ops

BATCH, TIME, DIM, UNITS, NUM_CLUSTERS = 3, 5, 3, 4, 3
RNG = np.random.default_rng(0)
# Longer than TIME, so that one model can read both lengths.
LONG_X = RNG.normal(size=(BATCH + 1, TIME + 3, DIM)).astype("float32")
LONG_CLUSTERS = RNG.integers(0, NUM_CLUSTERS + 2, LONG_X.shape[:2]).astype("int32")
X, CLUSTERS = LONG_X[:BATCH, :TIME], LONG_CLUSTERS[:BATCH, :TIME]
# Two programs of the same float32 arithmetic: outputs are of size 1.
CLOSE = {"rtol": 1e-5, "atol": 1e-5}


def arrays(values):
    """A list of float NumPy arrays, whatever the nesting."""
    return [np.asarray(ops.convert_to_numpy(v)) for v in keras.tree.flatten(values)]


def assert_close(got, want, what="", **tolerance):
    got, want = arrays(got), arrays(want)
    assert len(got) == len(want), what
    for a, b in zip(got, want, strict=True):
        np.testing.assert_allclose(a, b, err_msg=what, **(tolerance or CLOSE))


def differ(a, b):
    return max(abs(x - y).max() for x, y in zip(arrays(a), arrays(b), strict=True))


def inputs_of(time=None, suffix=""):
    return [
        keras.Input((time, DIM), name="x" + suffix),
        keras.Input((time,), dtype="int32", name="clusters" + suffix),
    ]


def functional(recurrence, time=None):
    """A functional model around the recurrence: any batch and any length."""
    inputs = inputs_of(time)
    return keras.Model(inputs, recurrence(*inputs))


def recurrence_of(make, dtype, **options):
    """Stock `RNN` does not pass its dtype on to its cell: both are told."""
    recurrence = make(UNITS, NUM_CLUSTERS, dtype=dtype, **options)
    if not recurrence.packed:
        return recurrence
    return recurrence.wrapped(lambda rnn: keras.layers.RNN(rnn.cell, dtype=dtype))


def predict(model, x=X, clusters=CLUSTERS):
    return model.predict([x, clusters], verbose=0)


def trained_losses(model, steps=3, optimizer=None, jit_compile=None):
    """The loss before each of `steps` steps of SGD, and after them.

    Compiled where that is the cheaper; the tests of `jit_compile` say which.
    """
    if jit_compile is None:
        jit_compile = keras.backend.backend() == "jax"
    optimizer = optimizer or keras.optimizers.SGD(0.03)
    model.compile(optimizer, "mse", jit_compile=jit_compile)
    shape = (BATCH, TIME, UNITS)[:: 1 if len(model.output_shape) == 3 else 2]
    target = np.full(shape, 0.3, "float32")
    history = model.fit(
        [X, CLUSTERS], target, batch_size=BATCH, epochs=steps + 1, verbose=0
    )
    return history.history["loss"]


def check_layer(make, folder, *, static_time=False, trains=True, **options):
    """Fails unless a recurrence of these options does all that a GRU does.

    Args:
        make: A value of the fixture `make_recurrence`.
        folder: For files.
        static_time: The options need a known length (`unroll`).
        trains: Whether its only output can be fitted.
        options: Of the recurrence.
    """
    recurrence = make(UNITS, NUM_CLUSTERS, **options)
    model = functional(recurrence, TIME if static_time else None)
    layer = recurrence.layer
    rng = np.random.default_rng(2)
    layer.set_weights([0.5 * rng.normal(size=w.shape) for w in layer.get_weights()])
    want = predict(model)

    _check_shapes(recurrence, model, want)
    _check_config(recurrence, want)
    if not static_time:
        _check_other_sizes(model, want)
    _check_clone(model, want)
    _check_files(model, want, folder)
    _check_summary(model, layer)
    if trains:
        trained_losses(model)
        # Without dropout, which makes the losses of `fit` uneven.
        before, after = (((y - 0.3) ** 2).mean() for y in (want, predict(model)))
        assert after < before, "three steps do not lower the loss"


def _check_shapes(recurrence, model, want):
    fed = (BATCH, TIME, DIM + 1) if recurrence.packed else [X.shape, CLUSTERS.shape]
    told = recurrence.layer.compute_output_shape(fed)
    told = [tuple(s) for s in told] if isinstance(want, (list, tuple)) else [told]
    real = [a.shape for a in arrays(want)]
    assert told == real, "compute_output_shape"
    symbolic = [tensor.shape for tensor in model.outputs]
    for inferred, shape in zip(symbolic, real, strict=True):
        assert len(inferred) == len(shape), "symbolic shape"
        assert inferred[-1] == shape[-1], "symbolic shape"


def _check_config(recurrence, want):
    layer = recurrence.layer
    again = type(layer).from_config(layer.get_config())
    assert again.get_config() == layer.get_config(), "from_config(get_config())"
    twin = type(recurrence)(again, recurrence.packed)
    twin.build(X.shape)
    again.set_weights(layer.get_weights())
    assert_close(twin.read(X, CLUSTERS), want, "the layer of its own config")


def _check_other_sizes(model, want):
    """One model, another batch and another length; rows do not see one another."""
    again = predict(model, LONG_X[:, :TIME], LONG_CLUSTERS[:, :TIME])
    kept = [a[:BATCH] for a in arrays(again)]
    assert_close(kept, want, "a row more changes the other rows")
    long, want = arrays(predict(model, LONG_X, LONG_CLUSTERS)), arrays(want)
    assert all(len(a) == BATCH + 1 for a in long), "another batch"
    same = long[-1].shape[1:] == want[-1].shape[1:]
    assert not same or differ(long[-1][:BATCH], want[-1]) > 1e-3, "another length"


def _check_clone(model, want):
    clone = keras.models.clone_model(model)
    assert differ(predict(clone), want) > 1e-3, "a clone has new weights"
    clone.set_weights(model.get_weights())
    assert_close(predict(clone), want, "clone_model")


def _check_files(model, want, folder):
    model.save(folder / "model.keras")
    loaded = keras.saving.load_model(folder / "model.keras")
    assert_close(predict(loaded), want, ".keras file")
    model.save_weights(folder / "model.weights.h5")
    loaded.set_weights([np.zeros_like(w) for w in loaded.get_weights()])
    assert differ(predict(loaded), want) > 1e-3
    loaded.load_weights(folder / "model.weights.h5")
    assert_close(predict(loaded), want, "weights file")


def _check_summary(model, layer):
    written = io.StringIO()
    model.summary(print_fn=lambda line: written.write(line + "\n"), line_length=120)
    text = written.getvalue()
    assert layer.name in text, "summary names the layer"
    count = sum(int(np.prod(w.shape)) for w in layer.trainable_weights)
    assert f"Total params: {count:,}" in text, "summary counts its weights"
