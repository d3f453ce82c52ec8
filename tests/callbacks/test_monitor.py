"""One way to watch a metric."""

import keras
import numpy as np
import pytest

from keras_cgru.callbacks.monitor import Monitor


@pytest.fixture(scope="module")
def model():
    """Compiled with metrics that know their direction, and functions that do not."""

    def custom(y_true, y_pred):
        return keras.ops.mean(y_pred)

    def own_accuracy(y_true, y_pred):
        return keras.ops.mean(y_pred)

    model = keras.Sequential([keras.Input((1,)), keras.layers.Dense(1)])
    metrics = ["accuracy", "mse", keras.metrics.AUC(name="area"), custom, own_accuracy]
    model.compile("sgd", "mse", metrics=metrics)
    model.evaluate(np.zeros((1, 1)), np.ones((1, 1)), verbose=0)
    return model


@pytest.mark.parametrize(
    ("name", "higher"),
    [
        *(("loss", False), ("val_loss", False), ("val_accuracy", True)),
        *(("val_mse", False), ("area", True), ("val_own_accuracy", True)),
    ],
)
def test_the_direction_is_the_metrics_own(model, name, higher):
    monitor = Monitor(name)
    assert monitor.is_better(2.0, 1.0, model) is higher
    assert monitor.is_better(1.0, 2.0, model) is not higher
    assert not monitor.is_better(1.0, 1.0, model) and monitor.is_better(1, None, model)
    assert monitor.best([2.0, float("nan"), 3.0], model) == (3.0 if higher else 2.0)


def test_a_direction_can_be_stated(model):
    assert Monitor("val_loss", "max").is_better(2.0, 1.0, model)
    assert Monitor("custom", "min").is_better(1.0, 2.0, model)
    with pytest.raises(ValueError, match="`mode` must be one of auto, min, max. Rec"):
        Monitor("val_loss", "highest")
    with pytest.raises(ValueError, match='`mode` must be "min" or "max".*custom'):
        Monitor("val_custom").is_better(1.0, None, model)


def test_values():
    monitor = Monitor("val_accuracy")
    assert monitor.value({"val_accuracy": 0.5, "loss": 1.0}) == 0.5
    assert monitor.value({"loss": 1.0}) is None  # `validation_freq`
    for value in ("nan", "inf", "-inf"):
        assert monitor.value({"val_accuracy": float(value)}) is None
    message = "`monitor` must be one of the metrics 'loss', 'val_loss'. Received: 'val_"
    with pytest.raises(ValueError, match=message):
        monitor.value({"loss": 1.0, "val_loss": 1.0})
    with pytest.raises(ValueError, match="metrics 'loss'. Received: 'acc'"):
        Monitor("acc").value({"loss": 1.0})
