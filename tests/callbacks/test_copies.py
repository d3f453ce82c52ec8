"""Callbacks are copied, pickled and set up anew, as tuners do."""

import copy
import pickle
from pathlib import Path

import keras
import pytest

pytest.importorskip("tensorboard", reason="the extra `recipes` is not installed")

from keras_cgru.callbacks import (
    BestModel,
    BestWeights,
    ExactResume,
    MetricsCSV,
    StopOnInterrupt,
    TensorBoard,
    read_metrics,
)
from keras_cgru.callbacks.event_files import event_files

MAKE = {
    "BestModel": lambda p: BestModel(p / "best.keras", p / "metrics.csv"),
    "BestWeights": lambda p: BestWeights(),
    "ExactResume": lambda p: ExactResume(p / "backup.npz"),
    "MetricsCSV": lambda p: MetricsCSV(p / "metrics.csv"),
    "StopOnInterrupt": lambda p: StopOnInterrupt(),
    "TensorBoard": lambda p: TensorBoard(p),
}


@pytest.mark.parametrize(
    "how", [copy.deepcopy, lambda c: pickle.loads(pickle.dumps(c))]
)
def test_copies_work_before_and_after_a_fit(
    build_model, fit, validation, tmp_path, how
):
    originals = [make(tmp_path / "first") for make in MAKE.values()]
    for name in ("second", "third"):
        copies = [how(callback) for callback in originals]
        for callback in copies:
            for attribute in ("log_dir", "path", "epochs"):
                if hasattr(callback, attribute):
                    file = getattr(callback, attribute).name
                    folder = tmp_path / name
                    new = folder if attribute == "log_dir" else folder / file
                    setattr(callback, attribute, str(new))
        fit(build_model(), 2, copies, validation_data=validation)
        folder = tmp_path / name
        assert {path.name for path in folder.iterdir()} == {
            *("best.keras", "metrics.csv", "backup.npz", "train", "validation")
        }
        assert len(read_metrics(folder / "metrics.csv")) == 2
        assert len(event_files(folder / "train")) == 1
        originals = copies  # And copied after a `fit`.
    assert not (tmp_path / "first").exists()


@pytest.mark.parametrize("name", MAKE)
def test_a_second_fit_with_the_same_callback(
    build_model, fit, validation, tmp_path, name
):
    callback = MAKE[name](tmp_path)
    for _ in range(2):
        fit(build_model(), 1, [callback], validation_data=validation)


@pytest.mark.parametrize(
    ("make", "attribute"),
    [
        (TensorBoard, "log_dir"),
        (ExactResume, "path"),
        (MetricsCSV, "path"),
        (lambda path: BestModel(path, "metrics.csv"), "path"),
        (lambda path: BestModel("best.keras", path), "epochs"),
    ],
)
def test_home_and_addresses(make, attribute, monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path))
    callback = make("~/a.keras")
    assert getattr(callback, attribute) == tmp_path / "a.keras"
    message = f"`{attribute}` must be a path of this machine"
    with pytest.raises(ValueError, match=message):
        make("gs://bucket/a.keras")
    setattr(callback, attribute, "b.keras")
    assert getattr(callback, attribute) == Path("b.keras")
    with pytest.raises(ValueError, match=message):
        setattr(callback, attribute, "s3://bucket/a.keras")
    with pytest.raises(TypeError, match=f"`{attribute}` must be a path. Received: No"):
        setattr(callback, attribute, None)


def test_validation_now_and_then(build_model, fit, validation, tmp_path):
    """Every callback, with `validation_freq`, steps and a wrapped optimizer."""
    callbacks = [make(tmp_path) for make in MAKE.values()]
    optimizer = keras.optimizers.LossScaleOptimizer(keras.optimizers.Adam(0.02))
    options = {"validation_data": validation, "validation_freq": 2}
    fit(build_model(optimizer=optimizer), 5, callbacks, **options)
    values = [row["val_accuracy"] for row in read_metrics(tmp_path / "metrics.csv")]
    assert [value is None for value in values] == [True, False, True, False, True]
    assert callbacks[0].best == max(filter(None, values))
