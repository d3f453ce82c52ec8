"""A TensorBoard callback that works without TensorFlow."""

import os
import threading
from collections.abc import Mapping, Sequence
from numbers import Real
from typing import Any, Literal

import keras

from keras_cgru.callbacks.batch_metrics import BatchMetrics
from keras_cgru.callbacks.epoch_part import EpochPart
from keras_cgru.callbacks.event_files import (
    EventFile,
    drop_events_after,
    event_files,
    require_tensorboard,
)
from keras_cgru.callbacks.gradient_norm import GradientNorm
from keras_cgru.callbacks.path_argument import PathArgument
from keras_cgru.callbacks.summary_values import scalar_values


class TensorBoard(keras.callbacks.Callback):
    """Writes losses, metrics, the learning rate and more for TensorBoard.

    `keras.callbacks.TensorBoard` imports TensorFlow on every backend; this callback
    needs only the `tensorboard` package. In `log_dir` it writes

    * `train/`: every `update_freq` batches `batch_loss` and `batch_<metric>` (Keras's
      running means over the epoch so far), `batch_own_loss` and `batch_own_<metric>`
      (of this batch alone, for metrics that are means), `batch_learning_rate`, and
      `batch_examples_per_second` since the values before; at the end of each epoch
      `epoch_loss`, `epoch_<metric>`, `epoch_learning_rate` and
      `epoch_examples_per_second` (validation left out, compiling not);
    * `validation/`: `epoch_loss` and `epoch_<metric>` at the end of each epoch with
      validation, under the same tags so that the curves lie over each other;
    * in either, what the `parts` give.

    The step of everything is the number of optimizer updates so far, one a batch,
    taken from the optimizer when training begins and at each epoch end, so training
    and validation share one axis, and steps rise strictly within a folder, over a
    resumed run too. (With gradient accumulation a batch counts although it updates
    nothing yet. So does, until the next resume, an update that a `LossScaleOptimizer`
    skips.) A file never has two events of values of one step: the last batch's values
    and the epoch's are one event. Metrics that are no scalars are left out. Learning
    rates are those of the next update, as schedules have them.

    Examples are the rows of a batch, those that weigh 0 included. With
    `steps_per_execution` a batch is an execution.

    Args:
        log_dir: The folder, made when needed.
        update_freq: Write `batch_*` whenever the step is a multiple of this; or
            "epoch": no `batch_*`.
        resume: Whether the run goes on from an earlier one in `log_dir`. If so, what
            that run logged behind the model's present step, in an epoch that was
            interrupted and is now repeated, is taken out of its files, and a mark says
            so to what has read them before (`SessionLog.START`). Restore the model
            before `fit`. If not, earlier files are not touched.
        parts: What else is written at the end of an epoch, such as `WeightHistograms`
            and `ExpLoss`.
        gradient_norm: Whether to write `batch_gradient_norm`, the norm of all
            gradients together before they are clipped. It is taken within the training
            step, which is compiled anew for it and may round otherwise.

    Raises:
        ImportError: `tensorboard` is not installed.
        ValueError: `update_freq` is neither a positive integer nor "epoch", or is
            "epoch" where `gradient_norm` is asked for. When training begins: an
            earlier file is damaged.

    Example:

    ```python
    model.fit(data, callbacks=[TensorBoard("runs/babi/first", update_freq=10)])
    ```

    Pass it in a list, even alone: on JAX Keras calls the batch hooks of a bare callback
    from several threads. A batch that another overtakes there is not logged, and what
    is read of the model (`batch_own_*`, rates) is left out.
    """

    log_dir = PathArgument()

    def __init__(
        self,
        log_dir: str | os.PathLike[str],
        update_freq: int | Literal["epoch"] = 1,
        resume: bool = False,
        parts: Sequence[EpochPart] = (),
        gradient_norm: bool = False,
    ) -> None:
        super().__init__()
        require_tensorboard()
        whole = isinstance(update_freq, int) and not isinstance(update_freq, bool)
        if update_freq != "epoch" and not (whole and update_freq > 0):
            raise ValueError(
                '`update_freq` must be a positive integer or "epoch". '
                f"Received: update_freq={update_freq!r}"
            )
        if gradient_norm and update_freq == "epoch":
            raise ValueError(
                "`update_freq` must be a positive integer with `gradient_norm`. "
                "Received: update_freq='epoch'"
            )
        self.log_dir = log_dir
        self.update_freq = update_freq
        self.resume = resume
        self.parts = tuple(parts)
        self.gradient_norm = gradient_norm
        self._begin_process()

    def _begin_process(self) -> None:
        """What belongs to one process and one run; a copy begins its own."""
        self._files: dict[str, EventFile] = {}
        self._norm: GradientNorm | None = None
        self._metrics, self._in_epoch = BatchMetrics(), False
        # JAX: the batch hooks of a callback that is not in a list run in threads.
        self._lock = threading.Lock()
        self._thread = threading.get_ident()

    def __getstate__(self) -> dict[str, Any]:
        own = ("_files", "_norm", "_metrics", "_in_epoch", "_lock", "_thread")
        return {k: v for k, v in self.__dict__.items() if k not in own}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._begin_process()

    def on_train_begin(self, logs: dict[str, Any] | None = None) -> None:
        # An interrupted `fit` does not come to `on_train_end`.
        self._close()
        self._thread = threading.get_ident()
        self._step = self._epoch_start = _batches_trained(self.model)
        self._written = self._begin = self._step
        self._pending: dict[str, float] = {}
        self._in_epoch = False
        if self.resume:
            for name in ("train", "validation"):
                drop_events_after(self.log_dir / name, self._step)
        # Now and not at the first value: a folder that cannot be written to should
        # stop the run before it trains.
        self._file("train")
        if self.gradient_norm:
            self._norm = GradientNorm()
            self._norm.attach(self.model)

    def on_epoch_begin(self, epoch: int, logs: dict[str, Any] | None = None) -> None:
        self._epoch_start = self._step
        self._metrics.begin_epoch()
        self._epoch_rate: float | None = None
        self._in_epoch = True

    def on_train_batch_end(
        self, batch: int, logs: dict[str, Any] | None = None
    ) -> None:
        # `batch` is the last one of several under `steps_per_execution`.
        step = self._epoch_start + batch + 1
        with self._lock:
            self._metrics.end_batch()
            if self.update_freq == "epoch" or step <= self._step:
                return
            self._write_pending()
            if self._is_point(self._step, step):
                # Held back until it is known whether the epoch's values join them.
                self._pending = _scalars("batch_", logs) | self._of_the_model(logs)
            elif self._is_point(step, 2 * step - self._step) and self._can_read():
                self._metrics.remember(self.model)
            self._step = step

    def on_test_begin(self, logs: dict[str, Any] | None = None) -> None:
        # The validation of an epoch: Keras takes its metrics for it.
        self._end_training_part()

    def on_epoch_end(self, epoch: int, logs: dict[str, Any] | None = None) -> None:
        logs = logs or {}
        self._end_training_part()
        # `batch` runs too far where the last of `steps_per_execution` are missing.
        self._step = max(_batches_trained(self.model), self._written + 1)
        train = {k: v for k, v in logs.items() if not k.startswith("val_")}
        train.setdefault("learning_rate", _learning_rate(self.model))
        train["examples_per_second"] = self._epoch_rate
        self._pending |= _scalars("epoch_", train)
        self._write_pending(self._of_parts("train", epoch, logs))
        validation = {k[4:]: v for k, v in logs.items() if k.startswith("val_")}
        values = [
            *scalar_values(_scalars("epoch_", validation)),
            *self._of_parts("validation", epoch, logs),
        ]
        if values:
            self._file("validation").add(self._step, values)
        for file in self._files.values():
            file.flush()

    def on_train_end(self, logs: dict[str, Any] | None = None) -> None:
        self._close()

    def _is_point(self, before: int, step: int) -> bool:
        assert self.update_freq != "epoch"
        return step // self.update_freq > before // self.update_freq

    def _can_read(self) -> bool:
        # From another thread the model is at another batch.
        return threading.get_ident() == self._thread

    def _of_the_model(self, logs: Mapping[str, Any] | None) -> dict[str, float]:
        """What the logs do not say of a batch."""
        if not self._can_read():
            return {}
        own = self._metrics.since(self.model)
        values = {
            **{f"own_{name}": own[name] for name in logs or {} if name in own},
            "learning_rate": _learning_rate(self.model),
            "examples_per_second": self._metrics.examples_per_second(),
            "gradient_norm": self._norm.read() if self._norm else None,
        }
        return _scalars("batch_", values)

    def _end_training_part(self) -> None:
        if self._in_epoch:
            self._epoch_rate = self._metrics.epoch_examples_per_second(self.model)
            self._in_epoch = False

    def _of_parts(self, folder: str, epoch: int, logs: Mapping[str, Any]) -> list[Any]:
        return [
            value
            for part in self.parts
            if part.folder == folder
            for value in part.values(self.model, epoch, logs)
        ]

    def _write_pending(self, further: Sequence[Any] = ()) -> None:
        values = [*scalar_values(self._pending), *further]
        if values:
            self._file("train").add(self._step, values)
            self._written = self._step
            self._pending = {}

    def _file(self, name: str) -> EventFile:
        if name not in self._files:
            folder = self.log_dir / name
            # Where nothing was taken back, what is read of earlier files must stay.
            marks = self.resume or not event_files(folder)
            self._files[name] = EventFile(folder, self._begin if marks else None)
        return self._files[name]

    def _close(self) -> None:
        for file in self._files.values():
            file.close()
        self._files.clear()
        if self._norm is not None:
            self._norm.detach(self.model)
            self._norm = None


def _learning_rate(model: keras.Model) -> float:
    rate = keras.ops.convert_to_tensor(model.optimizer.learning_rate)
    return float(keras.ops.convert_to_numpy(rate))


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
