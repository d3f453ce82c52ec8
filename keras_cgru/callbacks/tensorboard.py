"""A TensorBoard callback that works without TensorFlow."""

import os
import threading
from collections.abc import Mapping
from numbers import Real
from typing import Any, Literal

import keras

from keras_cgru.callbacks.event_files import (
    EventFile,
    drop_events_after,
    require_tensorboard,
)
from keras_cgru.callbacks.path_argument import PathArgument


class TensorBoard(keras.callbacks.Callback):
    """Writes losses, metrics and the learning rate for TensorBoard.

    `keras.callbacks.TensorBoard` imports TensorFlow on every backend; this callback
    needs only the `tensorboard` package. In `log_dir` it writes

    * `train/`: `batch_loss` and `batch_<metric>` every `update_freq` batches (Keras's
      running means over the epoch so far), `epoch_loss`, `epoch_<metric>` and
      `epoch_learning_rate` at the end of each epoch;
    * `validation/`: `epoch_loss` and `epoch_<metric>` at the end of each epoch with
      validation, under the same tags so that the curves lie over each other.

    The step of everything is the number of optimizer updates so far, one a batch,
    taken from the optimizer when training begins and at each epoch end, so training
    and validation share one axis, and steps rise strictly within a folder, over a
    resumed run too. (With gradient accumulation a batch counts although it updates
    nothing yet. So does, until the next resume, an update that a `LossScaleOptimizer`
    skips.) A file never has two events of one step: the last batch's values and
    the epoch's are one event. Metrics that are no scalars are left out.

    Args:
        log_dir: The folder, made when needed.
        update_freq: Write `batch_*` whenever the step is a multiple of this; or
            "epoch": no `batch_*`.
        resume: Whether the run goes on from an earlier one in `log_dir`. If so, what
            that run logged behind the model's present step, in an epoch that was
            interrupted and is now repeated, is taken out of its files. Restore the
            model before `fit`. If not, earlier files are not touched.

    Raises:
        ImportError: `tensorboard` is not installed.
        ValueError: `update_freq` is neither a positive integer nor "epoch". When
            training begins: an earlier file is damaged.

    Example:

    ```python
    model.fit(data, callbacks=[TensorBoard("runs/babi/first", update_freq=10)])
    ```

    Pass it in a list, even alone: on JAX Keras calls the batch hooks of a bare callback
    from several threads, and a batch that another overtakes there is not logged.
    """

    log_dir = PathArgument()

    def __init__(
        self,
        log_dir: str | os.PathLike[str],
        update_freq: int | Literal["epoch"] = 1,
        resume: bool = False,
    ) -> None:
        super().__init__()
        require_tensorboard()
        whole = isinstance(update_freq, int) and not isinstance(update_freq, bool)
        if update_freq != "epoch" and not (whole and update_freq > 0):
            raise ValueError(
                '`update_freq` must be a positive integer or "epoch". '
                f"Received: update_freq={update_freq!r}"
            )
        self.log_dir = log_dir
        self.update_freq = update_freq
        self.resume = resume
        self._files: dict[str, EventFile] = {}
        # JAX: the batch hooks of a callback that is not in a list run in threads.
        self._lock = threading.Lock()

    def __getstate__(self) -> dict[str, Any]:
        # What belongs to one process and one run; a copy begins its own.
        return self.__dict__ | {"_files": {}, "_lock": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, _lock=threading.Lock())

    def on_train_begin(self, logs: dict[str, Any] | None = None) -> None:
        # An interrupted `fit` does not come to `on_train_end`.
        self._close()
        self._step = self._epoch_start = _batches_trained(self.model)
        self._written = self._step
        self._pending: dict[str, float] = {}
        if self.resume:
            for name in ("train", "validation"):
                drop_events_after(self.log_dir / name, self._step)
        # Now and not at the first value: a folder that cannot be written to should
        # stop the run before it trains.
        self._file("train")

    def on_epoch_begin(self, epoch: int, logs: dict[str, Any] | None = None) -> None:
        self._epoch_start = self._step

    def on_train_batch_end(
        self, batch: int, logs: dict[str, Any] | None = None
    ) -> None:
        # `batch` is the last one of several under `steps_per_execution`.
        step = self._epoch_start + batch + 1
        with self._lock:
            if self.update_freq == "epoch" or step <= self._step:
                return
            self._write_pending()
            if step // self.update_freq > self._step // self.update_freq:
                # Held back until it is known whether the epoch's values join them.
                self._pending = _scalars("batch_", logs)
            self._step = step

    def on_epoch_end(self, epoch: int, logs: dict[str, Any] | None = None) -> None:
        logs = logs or {}
        # `batch` runs too far where the last of `steps_per_execution` are missing.
        self._step = max(_batches_trained(self.model), self._written + 1)
        train = {k: v for k, v in logs.items() if not k.startswith("val_")}
        rate = keras.ops.convert_to_tensor(self.model.optimizer.learning_rate)
        train.setdefault("learning_rate", float(keras.ops.convert_to_numpy(rate)))
        self._pending |= _scalars("epoch_", train)
        self._write_pending()
        validation = {k[4:]: v for k, v in logs.items() if k.startswith("val_")}
        if validation:
            file = self._file("validation")
            file.add_scalars(self._step, _scalars("epoch_", validation))
        for file in self._files.values():
            file.flush()

    def on_train_end(self, logs: dict[str, Any] | None = None) -> None:
        self._close()

    def _write_pending(self) -> None:
        if self._pending:
            self._file("train").add_scalars(self._step, self._pending)
            self._written = self._step
            self._pending = {}

    def _file(self, name: str) -> EventFile:
        if name not in self._files:
            self._files[name] = EventFile(self.log_dir / name)
        return self._files[name]

    def _close(self) -> None:
        for file in self._files.values():
            file.close()
        self._files.clear()


def _batches_trained(model: keras.Model) -> int:
    """Read how many batches the model's optimizer has been given so far."""
    # The wrapper for float16 counts only in the optimizer that it wraps.
    optimizer = getattr(model.optimizer, "inner_optimizer", model.optimizer)
    # `optimizer.iterations` has the batches divided by `gradient_accumulation_steps`;
    # the rest of the division would be lost over a resume.
    counters = [v for v in optimizer.variables if v.name == "iteration"]
    counter = counters[0].value if counters else optimizer.iterations
    return int(keras.ops.convert_to_numpy(counter))


def _scalars(prefix: str, logs: Mapping[str, Any] | None) -> dict[str, float]:
    return {
        f"{prefix}{name}": float(value)
        for name, value in (logs or {}).items()
        if isinstance(value, Real)
    }
