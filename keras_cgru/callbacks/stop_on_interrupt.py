"""Ctrl-C that always stops `fit`."""

from __future__ import annotations

import signal
import threading
from types import FrameType
from typing import Any

import keras


class StopOnInterrupt(keras.callbacks.Callback):
    """Raises a `KeyboardInterrupt` anew where Keras has swallowed it.

    While it turns a batch's losses into numbers, Keras drops every exception (a bare
    `except` in `pythonify_logs`, 3.15.1), `KeyboardInterrupt` too. On JAX that is
    where a loop waits for the batch to be computed, so most interrupts are lost. This
    callback remembers that there was one and raises it at the end of the batch or of
    the epoch.

    Put it first in the list of callbacks: nothing should be written of an epoch that
    was interrupted, since the number whose conversion was cut short is missing.

    Outside the main thread, where Python handles no signals, it does nothing.
    """

    def __init__(self) -> None:
        super().__init__()
        self._interrupted = False
        self._before: Any = None

    def on_train_begin(self, logs: dict[str, Any] | None = None) -> None:
        self._interrupted = False
        here = threading.current_thread() is threading.main_thread()
        # Another handler, or none, is somebody's choice.
        if here and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            self._before = signal.signal(signal.SIGINT, self._handle)

    def on_train_batch_end(
        self, batch: int, logs: dict[str, Any] | None = None
    ) -> None:
        self._stop()

    def on_epoch_begin(self, epoch: int, logs: dict[str, Any] | None = None) -> None:
        self._stop()

    def on_epoch_end(self, epoch: int, logs: dict[str, Any] | None = None) -> None:
        self._stop()

    def on_train_end(self, logs: dict[str, Any] | None = None) -> None:
        self._restore()

    def _handle(self, number: int, frame: FrameType | None) -> None:
        self._interrupted = True
        signal.default_int_handler(number, frame)

    def _stop(self) -> None:
        if self._interrupted:
            self._restore()
            raise KeyboardInterrupt

    def _restore(self) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)
            self._before = None
