"""A stopped and resumed run must equal one that was never stopped."""

import re

import keras
import numpy as np
import pytest

from keras_cgru.callbacks import ExactResume


@pytest.fixture
def path(tmp_path):
    return tmp_path / "run" / "resume.npz"


@pytest.fixture
def uninterrupted(build_model, fit):
    return fit(build_model(), epochs=5)["loss"]


def test_two_epochs_and_three_equal_five(build_model, fit, path, uninterrupted):
    first = fit(build_model(), epochs=2, callbacks=[ExactResume(path)])["loss"]
    # Other initial weights and other seeds: all must come from the file.
    model, resume = build_model(seed=99), ExactResume(path)
    epoch = resume.restore(model)
    rest = fit(model, epochs=5, initial_epoch=epoch, callbacks=[resume])["loss"]
    assert epoch == 2
    np.testing.assert_allclose(first + rest, uninterrupted, rtol=1e-6)
    assert len(set(uninterrupted)) == 5


def test_dropout_makes_the_random_state_matter(build_model, fit, path, uninterrupted):
    """Without the seed generators' states the property above must not hold."""
    fit(build_model(), epochs=2, callbacks=[ExactResume(path)])
    model = build_model(seed=99)
    ExactResume(path).restore(model)
    for variable in model.variables:
        if "seed_generator" in variable.path:
            variable.assign(keras.ops.zeros_like(variable.value))
    rest = fit(model, epochs=5, initial_epoch=2)["loss"]
    assert not np.allclose(rest, uninterrupted[2:], rtol=1e-4)


def test_interrupted_epoch_is_repeated(
    build_model, fit, path, uninterrupted, interrupt_at, tmp_path
):
    model, resume = build_model(), ExactResume(path)
    with pytest.raises(KeyboardInterrupt):
        fit(model, epochs=5, callbacks=[interrupt_at(2, 3), resume])
    # The interrupted model is usable as it is ...
    x = np.ones((3, 6), "float32")
    assert np.isfinite(model.predict(x, verbose=0)).all()
    model.save(tmp_path / "interrupted.keras")
    assert np.isfinite(fit(model, epochs=1)["loss"]).all()
    # ... and goes back to the last finished epoch.
    epoch = resume.restore(model)
    rest = fit(model, epochs=5, initial_epoch=epoch, callbacks=[resume])["loss"]
    assert epoch == 2
    np.testing.assert_allclose(rest, uninterrupted[2:], rtol=1e-6)
    assert resume.restore(model) == 5


def test_restore_repairs_a_model_stopped_inside_its_first_step(
    build_model, fit, path, uninterrupted
):
    """On JAX the variables are empty while the first step of an epoch compiles."""
    model, resume = build_model(), ExactResume(path)
    fit(model, epochs=2, callbacks=[resume])

    def stopped(*args, **kwargs):
        raise KeyboardInterrupt

    step, model.train_function = model.train_function, stopped
    with pytest.raises(KeyboardInterrupt):
        fit(model, epochs=5, initial_epoch=2)
    model.train_function = step
    epoch = resume.restore(model)
    rest = fit(model, epochs=5, initial_epoch=epoch)["loss"]
    np.testing.assert_allclose(rest, uninterrupted[2:], rtol=1e-6)


def test_no_file_starts_at_zero_and_changes_nothing(build_model, path):
    model = build_model()
    before = model.get_weights()
    assert ExactResume(path).restore(model) == 0
    for old, new in zip(before, model.get_weights(), strict=True):
        np.testing.assert_array_equal(old, new)


@pytest.mark.parametrize(
    "optimizer",
    [
        lambda: keras.optimizers.SGD(
            keras.optimizers.schedules.ExponentialDecay(0.1, 3, 0.5), momentum=0.9
        ),
        lambda: keras.optimizers.Adam(0.02, use_ema=True),
        lambda: keras.optimizers.Adam(0.02, gradient_accumulation_steps=2),
        lambda: keras.optimizers.LossScaleOptimizer(keras.optimizers.Adam(0.02)),
    ],
    ids=["schedule", "ema", "accumulation", "loss_scale"],
)
def test_every_optimizer_variable_is_restored(
    build_model, fit, path, numpy_of, optimizer
):
    model = build_model(optimizer=optimizer())
    saved = []

    class Snapshot(keras.callbacks.Callback):
        def on_epoch_end(self, epoch, logs=None):
            saved[:] = [numpy_of(v) for v in self.model.optimizer.variables]

    fit(model, epochs=1, callbacks=[Snapshot(), ExactResume(path)])
    other = build_model(seed=99, optimizer=optimizer())
    assert not other.optimizer.built
    ExactResume(path).restore(other)
    assert len(saved) == len(other.optimizer.variables) > 2
    for want, variable in zip(saved, other.optimizer.variables, strict=True):
        np.testing.assert_array_equal(want, numpy_of(variable))


def test_a_changed_learning_rate_is_restored(build_model, fit, path, numpy_of):
    model = build_model()
    model.optimizer.learning_rate = 0.125
    fit(model, epochs=1, callbacks=[ExactResume(path)])
    other = build_model()
    ExactResume(path).restore(other)
    assert numpy_of(other.optimizer.learning_rate) == 0.125


def test_bfloat16_variables_survive(build_model, fit, path, numpy_of):
    model = build_model(dtype="bfloat16")
    fit(model, epochs=1, callbacks=[ExactResume(path)])
    other = build_model(seed=99, dtype="bfloat16")
    ExactResume(path).restore(other)
    assert other.layers[0].kernel.dtype == "bfloat16"
    for want, got in zip(model.variables, other.variables, strict=True):
        np.testing.assert_array_equal(numpy_of(want), numpy_of(got))


def test_another_shape_is_named_and_nothing_changes(build_model, fit, path):
    fit(build_model(units=5), epochs=1, callbacks=[ExactResume(path)])
    other = build_model(units=7)
    before = other.get_weights()
    message = (
        r"resume\.npz: variable 0 .*kernel of shape \(6, 7\).* Received: .*\(6, 5\)"
    )
    with pytest.raises(ValueError, match=message):
        ExactResume(path).restore(other)
    for old, new in zip(before, other.get_weights(), strict=True):
        np.testing.assert_array_equal(old, new)


def test_another_type_is_named(build_model, fit, path):
    fit(build_model(), epochs=1, callbacks=[ExactResume(path)])
    with pytest.raises(ValueError, match="type bfloat16. Received: .* type float32"):
        ExactResume(path).restore(build_model(dtype="bfloat16"))


def test_more_or_fewer_variables_are_named(build_model, fit, path):
    fit(build_model(), epochs=1, callbacks=[ExactResume(path)])
    model = build_model(optimizer=keras.optimizers.Adam(0.02, amsgrad=True))
    with pytest.raises(ValueError, match="must be .*Received: None"):
        ExactResume(path).restore(model)
    fit(model, epochs=1, callbacks=[ExactResume(path)])
    with pytest.raises(ValueError, match="must be None. Received: "):
        ExactResume(path).restore(build_model())


def test_another_backend_is_named(build_model, fit, path, monkeypatch):
    fit(build_model(), epochs=1, callbacks=[ExactResume(path)])
    monkeypatch.setattr(keras.backend, "backend", lambda: "other")
    backend = keras.config.backend()
    with pytest.raises(ValueError, match=f"'other'.*Received: a file from '{backend}'"):
        ExactResume(path).restore(build_model())


def test_unbuilt_and_uncompiled_models_are_refused(build_model, fit, path):
    fit(build_model(), epochs=1, callbacks=[ExactResume(path)])
    unbuilt = keras.Sequential([keras.layers.Dense(2)], name="unbuilt")
    with pytest.raises(ValueError, match="must be built .* Received: model=unbuilt"):
        ExactResume(path).restore(unbuilt)
    unbuilt.build((None, 6))
    with pytest.raises(ValueError, match="must be compiled .* model=unbuilt"):
        ExactResume(path).restore(unbuilt)


@pytest.mark.parametrize("damage", ["truncated", "empty", "text"])
def test_damaged_file_is_named(build_model, fit, path, damage):
    fit(build_model(), epochs=1, callbacks=[ExactResume(path)])
    data = path.read_bytes()
    path.write_bytes(
        {"truncated": data[: len(data) // 2], "empty": b"", "text": b"epoch"}[damage]
    )
    with pytest.raises(ValueError, match=re.escape(str(path)) + ": must be a training"):
        ExactResume(path).restore(build_model())


def test_failed_save_keeps_the_earlier_file(build_model, fit, path, monkeypatch):
    fit(build_model(), epochs=1, callbacks=[ExactResume(path)])
    before = path.read_bytes()

    def full_disk(file, **entries):
        file.write(b"half")
        raise OSError("No space left on device")

    monkeypatch.setattr(np, "savez", full_disk)
    with pytest.raises(OSError, match="No space left"):
        fit(build_model(), epochs=1, callbacks=[ExactResume(path)])
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]
