"""`fit` with the callbacks that every recipe needs, for long and short trainings."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import keras

from keras_cgru.callbacks import (
    BestModel,
    BestWeights,
    EpochPart,
    ExactResume,
    ExpLoss,
    MetricsCSV,
    StopOnInterrupt,
    TensorBoard,
    WeightHistograms,
    read_metrics,
)
from keras_cgru.data import ReaderDataset
from keras_cgru.training.epoch_choice import few_epochs
from keras_cgru.training.run_folder import RunFolder


def fit_epochs(
    model: keras.Model,
    train: ReaderDataset,
    validation: ReaderDataset,
    folder: RunFolder,
    epochs: int,
    update_freq: int = 10,
    seconds: tuple[float, float] | None = None,
    parts: Sequence[EpochPart] = (),
    gradient_norm: bool = False,
) -> dict[str, Any]:
    """Trains over epochs, each of them a point from which a run goes on.

    The folder gets the best epoch's model by `val_accuracy`, the table of epochs,
    TensorBoard's files and all that a resume needs. Where these are of an earlier
    process, training goes on as if it had never stopped.

    Args:
        model: Compiled, with its initial weights and a metric `accuracy`.
        train, validation: The examples.
        folder: The run's.
        epochs: In all, those of earlier processes included.
        update_freq: Updates between two points of the TensorBoard curves.
        seconds: What a compiled shape and an update take, for a rough forecast.
        parts, gradient_norm: What else TensorBoard shows, see `TensorBoard`.

    Returns:
        For the run's `metrics.json`: the number of epochs, the best one and its
        accuracy, the time with compilation and validation, and the rate of the fastest
        epoch.

    Raises:
        RuntimeError: No epoch had a finite accuracy.
    """
    resume = ExactResume(folder.backup)
    first = resume.restore(model)
    train.set_epoch(first)
    print(f"{model.count_params():,} parameters.")
    print(_forecast(train, epochs - first, seconds))
    if first:
        print(f"Going on behind epoch {first} of {epochs}.")
    model.fit(
        train,
        validation_data=validation,
        initial_epoch=first,
        epochs=epochs,
        callbacks=[
            StopOnInterrupt(),
            train.epoch_callback(),
            BestModel(folder.best_model, folder.epochs),
            MetricsCSV(folder.epochs),
            TensorBoard(
                folder.path,
                update_freq,
                resume=True,
                parts=[WeightHistograms(), ExpLoss(_loss_scale(validation)), *parts],
                gradient_norm=gradient_norm,
            ),
            resume,
        ],
        # Keras would shuffle the batches anew, and otherwise in a resumed run.
        shuffle=False,
        verbose="auto" if _is_terminal() else 2,
    )
    if not folder.best_model.exists():
        raise RuntimeError("the training diverged: no epoch had a finite accuracy")
    rows = read_metrics(folder.epochs)
    best = max(rows, key=lambda row: row["val_accuracy"])
    times = [row["seconds"] for row in rows]
    return {
        "epochs": epochs,
        "best_epoch": best["epoch"],
        "validation_accuracy": best["val_accuracy"],
        "train_seconds": round(sum(times), 1),
        "examples_per_second": round(_num_examples(train) / min(times), 1),
    }


@dataclass(frozen=True)
class Fitted:
    """How a training of `fit_updates` went.

    Args:
        updates: How many there were.
        best_update: After which validation was best.
        validation_accuracy, validation_loss: What it was then.
        seconds: Wall time, with compilation and validation.
        examples_per_second: On average.
    """

    updates: int
    best_update: int
    validation_accuracy: float
    validation_loss: float
    seconds: float
    examples_per_second: float


def fit_updates(
    model: keras.Model,
    train: ReaderDataset,
    validation: ReaderDataset,
    folder: RunFolder,
    updates: int,
    tell: Callable[[str], None],
    patience: int | None = None,
    average: bool = False,
    updates_between_validations: int = 100,
    perfect_loss: float = 0.0,
    parts: Sequence[EpochPart] = (),
) -> Fitted:
    """Trains for some hundred updates, in one go, and leaves the best weights.

    A training that was stopped begins anew: what it logged goes.

    Args:
        model: Compiled, with a metric `accuracy`; afterwards it has the weights that
            validated best, and `folder` has the model.
        train, validation: The examples.
        folder: The run's.
        updates: In all, unless validation is perfect before; made up to whole rounds.
        tell: Is told now and then how far it has come.
        patience, perfect_loss: See `BestWeights`.
        average: Whether the optimizer keeps a moving average of the weights, which is
            then what is validated.
        updates_between_validations: About so many.
        parts: What else TensorBoard shows, see `TensorBoard`.

    Raises:
        RuntimeError: The training diverged before its first validation.
    """
    epochs = math.ceil(updates / len(train))
    frequency = min(epochs, max(1, round(updates_between_validations / len(train))))
    best = BestWeights(perfect_loss, patience)
    averaging = [keras.callbacks.SwapEMAWeights(swap_on_epoch=True)] if average else []
    began = time.perf_counter()
    history = model.fit(
        train,
        validation_data=validation,
        validation_freq=frequency,
        # Whole rounds: the last epoch is validated, too.
        epochs=frequency * math.ceil(epochs / frequency),
        callbacks=[
            StopOnInterrupt(),
            train.epoch_callback(),
            MetricsCSV(folder.epochs),
            TensorBoard(
                folder.path,
                "epoch",
                resume=True,
                parts=[
                    # Of many short trainings, few: they take most of the room.
                    WeightHistograms(few_epochs(epochs, every=frequency)),
                    ExpLoss(_loss_scale(validation)),
                    *parts,
                ],
            ),
            _TellEpochs(tell),
            *averaging,
            best,
        ],
        # Keras would shuffle the batches anew.
        shuffle=False,
        verbose=0,
    )
    seconds = time.perf_counter() - began
    epochs = len(history.history["loss"])
    if best.best is None or best.best_epoch is None:
        raise RuntimeError(
            f"the training diverged: no validation in {epochs * len(train)} updates "
            "had a finite loss"
        )
    model.save(folder.best_model)
    return Fitted(
        epochs * len(train),
        best.best_epoch * len(train),
        *best.best,
        seconds,
        epochs * _num_examples(train) / seconds,
    )


class _TellEpochs(keras.callbacks.Callback):
    """Tells every few seconds how far a training has come."""

    SECONDS = 15.0

    def __init__(self, tell: Callable[[str], None]) -> None:
        super().__init__()
        self.tell, self.last = tell, time.perf_counter()

    def on_epoch_end(self, epoch: int, logs: dict[str, Any] | None = None) -> None:
        if time.perf_counter() - self.last < self.SECONDS:
            return
        self.last = time.perf_counter()
        values = ", ".join(f"{k} {float(v):.3f}" for k, v in (logs or {}).items())
        self.tell(f"epoch {epoch + 1}/{self.params['epochs']}: {values}")


def _forecast(
    train: ReaderDataset, epochs: int, seconds: tuple[float, float] | None
) -> str:
    line = f"{epochs} epochs of {len(train)} updates"
    if seconds is None:
        return f"{line}."
    of_shape, of_update = seconds
    total = of_shape * len(set(train.shapes)) + of_update * epochs * len(train)
    return f"{line}: roughly {max(1, round(total / 60))} min on two CPU cores."


def _num_examples(dataset: ReaderDataset) -> int:
    # Full batches serve some of them twice.
    return len(set(dataset.order.tolist()))


def _loss_scale(dataset: ReaderDataset) -> float:
    """What Keras's loss is multiplied with to be a mean over the examples."""
    if not (dataset.full_batches and dataset.unit_weights):
        return 1.0
    return len(dataset.order) / _num_examples(dataset)


def _is_terminal() -> bool:
    # A stream that stands in for standard output need not say it.
    return bool(getattr(sys.stdout, "isatty", lambda: False)())
