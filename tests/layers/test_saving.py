"""A trained bidirectional model loads in a new process (scenario 3)."""

import keras
import numpy as np
import pytest

# What a user writes: no custom objects, no layer named.
LOAD = """
import keras, numpy as np
import keras_cgru

for name in {names}:
    model = keras.saving.load_model(f"{folder}/{{name}}.keras")
    inputs = [np.load(f"{folder}/{{part}}.npy") for part in ("x", "clusters")]
    np.save(f"{folder}/{{name}}.predicted.npy", model.predict(inputs, verbose=0))
    state = [np.array(v) for v in model.optimizer.variables]
    np.savez(f"{folder}/{{name}}.optimizer.npz", *state)
print("loaded")
"""
BATCH, TIME, INPUT_DIM, UNITS = 8, 5, 3, 4
NAMES = ("RNN(CorefGRUCell)", "CorefGRU")


@pytest.fixture(scope="module")
def trained(tmp_path_factory, run_python, implementations):
    """Models trained for an epoch, saved here and loaded by another process."""
    folder = tmp_path_factory.mktemp("saved")
    rng = np.random.default_rng(0)
    x = rng.normal(size=(BATCH, TIME, INPUT_DIM)).astype("float32")
    clusters = rng.integers(0, 4, (BATCH, TIME)).astype("int32")
    np.save(folder / "x.npy", x)
    np.save(folder / "clusters.npy", clusters)
    models = {}
    for name in NAMES:
        inputs = keras.Input((None, INPUT_DIM)), keras.Input((None,), dtype="int32")
        recurrence = implementations[name](UNITS, 3)
        read = recurrence.wrapped(keras.layers.Bidirectional)(*inputs)
        model = keras.Model(inputs, keras.layers.Dense(1)(read))
        model.compile("adam", "mse")
        model.fit([x, clusters], x[:, 0, :1], batch_size=4, verbose=0)
        model.save(folder / f"{name}.keras")
        models[name] = model, model.predict([x, clusters], verbose=0)
    script = LOAD.format(names=NAMES, folder=folder)
    assert run_python(script).strip().endswith("loaded")
    return folder, models


@pytest.mark.parametrize("name", NAMES)
def test_predictions_are_equal_in_a_new_process(trained, name):
    """Scenario 3."""
    folder, models = trained
    predicted = np.load(folder / f"{name}.predicted.npy")
    np.testing.assert_allclose(predicted, models[name][1], atol=1e-6)


@pytest.mark.parametrize("name", NAMES)
def test_optimizer_state_is_kept(trained, name):
    """Scenario 3."""
    folder, models = trained
    variables = models[name][0].optimizer.variables
    want = [keras.ops.convert_to_numpy(variable) for variable in variables]
    with np.load(folder / f"{name}.optimizer.npz") as found:
        got = [found[key] for key in found.files]
    assert int(want[0]) == 2  # steps taken
    # Adam's two moments of each weight, none of them still zero.
    assert len(want) == 2 + 2 * len(models[name][0].trainable_weights)
    assert all(abs(array).max() > 0 for array in want)
    for a, b in zip(got, want, strict=True):
        np.testing.assert_array_equal(a, b)
