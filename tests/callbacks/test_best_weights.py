"""The best weights: which are they, are they restored, and when is it enough."""

import keras
import numpy as np
import pytest

from keras_cgru.callbacks import BestWeights


@pytest.fixture
def play():
    """Plays epochs of (val_accuracy, val_loss) to the callback; None: no validation.

    The weight of the model is the number of the epoch.
    """

    def run(epochs, **options):
        model = keras.Sequential([keras.Input((1,)), keras.layers.Dense(1)])
        callback = BestWeights(**options)
        callback.set_model(model)
        model.stop_training = False
        callback.on_train_begin()
        for epoch, values in enumerate(epochs):
            number = np.float32(epoch + 1)
            model.set_weights([np.full((1, 1), number), np.zeros(1, "float32")])
            logs = {"loss": 1.0}
            if values is not None:
                logs |= {"val_accuracy": values[0], "val_loss": values[1]}
            callback.on_epoch_end(epoch, logs)
            if model.stop_training:
                break
        callback.on_train_end()
        return callback, int(model.get_weights()[0].item()), epoch + 1

    return run


@pytest.mark.parametrize(
    ("epochs", "best"),
    [
        ([(0.1, 3.0), (0.9, 2.0), (0.5, 0.1)], 2),
        ([(0.9, 3.0), (0.9, 2.0), (0.9, 2.5)], 2),
        ([(0.9, 2.0), (0.9, 2.0)], 1),
        ([None, (0.2, 1.0), None], 2),
    ],
    ids=["accuracy", "loss of equals", "the first of equals", "not each validated"],
)
def test_the_weights_that_validated_best_are_restored(play, epochs, best):
    callback, weight, _ = play(epochs)
    assert weight == callback.best_epoch == best
    assert callback.best == epochs[best - 1]


def test_without_validation_the_last_weights_stay(play):
    callback, weight, _ = play([None, None])
    assert (weight, callback.best, callback.best_epoch) == (2, None, None)


@pytest.mark.parametrize(
    ("options", "trained"), [({"perfect_below": 0.01}, 3), ({}, 4)]
)
def test_training_stops_where_validation_is_perfect(play, options, trained):
    epochs = [(0.9, 0.001), (1.0, 0.02), (1.0, 0.005), (1.0, 0.001)]
    callback, weight, count = play(epochs, **options)
    assert count == weight == callback.best_epoch == trained


@pytest.mark.parametrize(
    ("patience", "trained", "best"), [(1, 2, 1), (2, 7, 4), (3, 8, 4), (None, 8, 4)]
)
def test_training_stops_after_so_many_validations_without_a_better(
    play, patience, trained, best
):
    """The fifth epoch is not validated, and does not count."""
    losses = [3.0, 4.0, 2.0, 1.0, None, 5.0, 1.0, 6.0]
    epochs = [None if loss is None else (0.5, loss) for loss in losses]
    callback, weight, count = play(epochs, patience=patience)
    assert (count, weight, callback.best_epoch) == (trained, best, best)


def test_wrong_patience():
    with pytest.raises(ValueError, match="`patience` must be at least 1.*patience=0"):
        BestWeights(patience=0)


@pytest.mark.parametrize("average", [False, True])
def test_in_a_training(build_model, fit, validation, average):
    """With averaged weights it is the average that is validated, and kept."""
    callback = BestWeights()
    callbacks, options = [callback], {}
    if average:
        callbacks.insert(0, keras.callbacks.SwapEMAWeights(swap_on_epoch=True))
        options = {"use_ema": True, "ema_momentum": 0.9}
    model = build_model(optimizer=keras.optimizers.Adam(0.02, **options))
    history = fit(model, epochs=6, callbacks=callbacks, validation_data=validation)
    keys = zip(history["val_accuracy"], [-x for x in history["val_loss"]], strict=True)
    accuracy, loss = max(keys)
    assert callback.best == (accuracy, -loss)
    x, y = validation
    evaluated = model.evaluate(x, y, verbose=0, return_dict=True)
    assert evaluated["accuracy"] == pytest.approx(accuracy)
    assert evaluated["loss"] == pytest.approx(-loss, rel=1e-5)
