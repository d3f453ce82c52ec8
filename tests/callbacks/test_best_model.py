"""The best model: which epoch's is it, over interruptions and second uses."""

import keras
import numpy as np
import pytest

from keras_cgru.callbacks import BestModel, MetricsCSV

NAN = float("nan")


class Played(keras.callbacks.Callback):
    """Gives each epoch its metrics, and the model the number of the epoch."""

    def __init__(self, values, name):
        super().__init__()
        self.values, self.name = values, name

    def on_epoch_end(self, epoch, logs=None):
        value = self.values[epoch]
        number = np.full((1, 1), epoch + 1, "float32")
        self.model.set_weights([number, np.zeros(1, "float32")])
        if value is not None:
            logs |= {"val_loss": 1.0, self.name: value}


@pytest.fixture
def play(tmp_path):
    """Trains with given metrics; gives the epoch of the model that is kept."""

    def run(values, callback=None, first=0, name="val_accuracy", **options):
        model = keras.Sequential([keras.Input((1,)), keras.layers.Dense(1)])
        model.compile("sgd", "mse", metrics=["accuracy"])
        table = tmp_path / "metrics.csv"
        callback = callback or BestModel(tmp_path / "best.keras", table, **options)
        callbacks = [Played(values, name), callback, MetricsCSV(table)]
        x = np.zeros((4, 1), "float32")
        model.fit(
            x,
            x,
            epochs=len(values),
            initial_epoch=first,
            callbacks=callbacks,
            verbose=0,
        )
        if not callback.path.exists():
            return None
        best = keras.models.load_model(callback.path)
        return int(best.get_weights()[0].item())

    return run


@pytest.mark.parametrize(
    ("values", "options", "best"),
    [
        ([0.1, 0.9, 0.9, 0.5], {}, 2),
        ([0.9, 0.1, 0.5], {"monitor": "val_loss", "name": "val_loss"}, 2),
        ([0.9, 0.1, 0.5], {"mode": "min"}, 2),
        ([None, 0.2, None, 0.4, None], {}, 4),
        ([NAN, 0.2, NAN, 0.1], {}, 2),
        ([NAN, 3.0, 2.0, NAN], {"monitor": "val_loss", "name": "val_loss"}, 3),
    ],
    ids=["accuracy", "loss", "min", "not each validated", "NaN", "NaN in the loss"],
)
def test_the_best_epochs_model_is_kept(play, values, options, best):
    assert play(values, **options) == best


@pytest.mark.parametrize("values", [[None, None], [NAN, NAN]])
def test_where_none_is_the_best_a_warning_says_so(play, values):
    with pytest.warns(UserWarning, match="no model was saved.*'val_accuracy'"):
        assert play(values) is None


def test_a_metric_that_is_not_there_is_named(play):
    with pytest.raises(ValueError, match="`monitor` must be one of.*'val_acc'"):
        play([0.5], monitor="val_acc")


@pytest.mark.parametrize(
    ("before", "values", "best"),
    [
        ([0.1, 0.8], [0.0, 0.0, 0.7], 2),
        ([0.1, 0.8], [0.0, 0.0, 0.9], 3),
        ([NAN, None], [0.0, 0.0, 0.1], 3),
        # The second epoch was lost; its model is of no use.
        ([0.1, 0.2], [0.0, 0.3, 0.1], 2),
    ],
)
def test_a_resumed_run_knows_what_was_reached(play, before, values, best):
    with pytest.warns(UserWarning) if before[0] != 0.1 else _nothing():
        play(before)
    first = 1 if best == 2 and values[1] else 2
    assert play(values, first=first) == best


class _nothing:
    def __enter__(self):
        return self

    def __exit__(self, *_):
        return None


def test_a_second_fit_begins_anew(play, tmp_path):
    """With the same callback, on the same paths and on others."""
    callback = BestModel(tmp_path / "best.keras", tmp_path / "metrics.csv")
    assert play([0.9, 0.8], callback) == 1
    assert play([0.1, 0.5, 0.2], callback) == 2
    callback.path, callback.epochs = f"{tmp_path}/b/c.keras", f"{tmp_path}/none.csv"
    assert play([0.3, 0.2], callback) == 1
    # Without a table it goes on from what it remembers.
    assert play([0.0, 0.0, 0.2], callback, first=2) == 1
    assert callback.path == tmp_path / "b" / "c.keras"


def test_a_link_is_followed_and_nothing_else_is_left(play, tmp_path):
    (tmp_path / "best.keras").symlink_to(tmp_path / "far" / "model.keras")
    assert play([0.1]) == 1
    assert (tmp_path / "best.keras").is_symlink()
    assert [path.name for path in (tmp_path / "far").iterdir()] == ["model.keras"]


def test_arguments_are_checked(tmp_path):
    with pytest.raises(ValueError, match="`path` must end in .keras. Received: best"):
        BestModel("best", "metrics.csv")
    with pytest.raises(ValueError, match="`epochs` must be a path of this machine"):
        BestModel("best.keras", "gs://bucket/metrics.csv")
    with pytest.raises(ValueError, match="`mode` must be one of"):
        BestModel("best.keras", "metrics.csv", mode="higher")
