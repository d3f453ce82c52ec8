"""Ctrl-C stops `fit`, even where the exception gets lost on its way."""

import signal
import threading

import keras
import numpy as np
import pytest

from keras_cgru.callbacks import StopOnInterrupt


class Swallow(keras.callbacks.Callback):
    """Does at one point of the training what Ctrl-C does inside a bare `except`."""

    def __init__(self, where):
        super().__init__()
        self.where = where
        self.calls = []

    def _call(self, hook, number):
        self.calls.append((hook, number))
        if (hook, number) == self.where:
            try:
                signal.raise_signal(signal.SIGINT)
            except KeyboardInterrupt:
                return

    def on_epoch_begin(self, epoch, logs=None):
        self._call("epoch_begin", epoch)

    def on_train_batch_end(self, batch, logs=None):
        self._call("batch", batch)

    def on_test_end(self, logs=None):
        self._call("validation", 0)

    def on_epoch_end(self, epoch, logs=None):
        self._call("epoch_end", epoch)


@pytest.fixture(autouse=True)
def default_handler():
    """Pytest keeps Python's handler; so must we, whatever happens."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def fit(*callbacks):
    model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)])
    model.compile(loss="mse")
    x, y = np.ones((6, 2), "float32"), np.ones((6, 1), "float32")
    return model.fit(
        x,
        y,
        batch_size=2,
        epochs=2,
        validation_data=(x, y),
        callbacks=list(callbacks),
        verbose=0,
    )


@pytest.mark.parametrize(
    "where, last",
    [
        # The stop comes before the callback behind it hears of the same event.
        (("batch", 1), ("batch", 1)),
        (("validation", 0), ("epoch_end", 0)),
        (("epoch_end", 0), ("epoch_end", 0)),
        (("epoch_begin", 0), ("epoch_begin", 0)),
    ],
)
def test_lost_interrupt_is_raised_at_the_next_event(where, last):
    swallow, recorder = Swallow(where), Swallow(None)
    with pytest.raises(KeyboardInterrupt):
        fit(swallow, StopOnInterrupt(), recorder)
    assert swallow.calls[-1] == last
    assert len(recorder.calls) < len(swallow.calls)


def test_without_it_the_interrupt_stays_lost():
    """Else the test above would prove nothing."""
    swallow = Swallow(("batch", 1))
    assert len(fit(swallow).history["loss"]) == 2
    assert swallow.calls[-1] == ("epoch_end", 1)


def test_interrupt_that_arrives_stops_as_ever():
    class Interrupt(keras.callbacks.Callback):
        def on_train_batch_end(self, batch, logs=None):
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        fit(StopOnInterrupt(), Interrupt())


@pytest.mark.parametrize("where", [None, ("batch", 0)])
def test_handler_is_put_back(where):
    callback = StopOnInterrupt()
    if where is None:
        fit(callback)
    else:
        with pytest.raises(KeyboardInterrupt):
            fit(Swallow(where), callback)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_new_fit_forgets_an_earlier_interrupt():
    callback = StopOnInterrupt()
    with pytest.raises(KeyboardInterrupt):
        fit(Swallow(("batch", 0)), callback)
    assert len(fit(callback).history["loss"]) == 2


def test_handler_of_somebody_else_stays():
    heard = []
    signal.signal(signal.SIGINT, lambda *_: heard.append("theirs"))
    fit(StopOnInterrupt(), Swallow(("batch", 0)))
    assert heard == ["theirs"] * 2  # once an epoch


def test_outside_the_main_thread_it_does_nothing():
    losses = []

    def work():
        losses.extend(fit(StopOnInterrupt()).history["loss"])

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert len(losses) == 2
