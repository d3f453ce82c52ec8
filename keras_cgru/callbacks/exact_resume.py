"""Save a training run at each epoch end, so that it can go on as if never stopped."""

import os
import re
from collections.abc import Mapping
from itertools import zip_longest
from typing import Any, NamedTuple

import keras
import numpy as np

from keras_cgru.callbacks.backend_generators import read_generators, set_generators
from keras_cgru.callbacks.path_argument import PathArgument
from keras_cgru.callbacks.training_state import (
    TrainingState,
    read_state,
    write_state,
)


class ExactResume(keras.callbacks.Callback):
    """Saves all that a later `fit` needs to go on exactly, at every epoch end.

    One file holds every variable of the model (weights and the states of its
    `keras.random.SeedGenerator`s, so dropout goes on with the next mask), every
    variable of the optimizer (slots, iterations, learning rate), PyTorch's global
    generators where that is the backend, and the number of finished epochs. It is
    replaced as a whole: a process killed in the middle of an epoch, or of a save,
    leaves the state of the last finished epoch.

    Not in the file, because the model does not hold them:

    * The order of the examples: derive it from `(seed, epoch)`, not from a generator
      that has lived since the first epoch. `fit(shuffle=True)` draws a fresh order.
    * Random numbers drawn from elsewhere: `keras.random` without a seed generator, the
      global states of NumPy and Python.
    * What other callbacks remember, such as the best value of `ModelCheckpoint`.
    * Metrics, which start anew in every epoch.

    Put it last in the list of callbacks: then what the others write of an epoch, or
    change in it (a learning rate), is in place before the epoch counts as finished.

    Args:
        path: The file, whose name usually ends in `.npz`. Folders are made when needed.

    Example:

    ```python
    resume = ExactResume("runs/babi/first/resume.npz")
    model.fit(
        data,
        epochs=10,
        initial_epoch=resume.restore(model),
        callbacks=[resume],
    )
    ```

    Reference: `keras.callbacks.BackupAndRestore` restores no random states when the
    model is built anew, and writes two files that can disagree.
    """

    path = PathArgument()

    def __init__(self, path: str | os.PathLike[str]) -> None:
        super().__init__()
        self.path = path
        self._generators: Mapping[str, np.ndarray] = {}

    def on_train_begin(self, logs: dict[str, Any] | None = None) -> None:
        # Once more: the first `fit` of a model runs it before training begins, to
        # learn its shapes, and draws from them.
        set_generators(self._generators)
        self._generators = {}

    def on_epoch_end(self, epoch: int, logs: dict[str, Any] | None = None) -> None:
        # `self.model`, not `self._model`: on JAX the property first brings the
        # training state back into the variables.
        variables = _variables(self.model)
        state = TrainingState(
            backend=keras.backend.backend(),
            finished_epochs=epoch + 1,
            paths=[variable.path for variable in variables],
            dtypes=[variable.dtype for variable in variables],
            arrays=[keras.ops.convert_to_numpy(v.value) for v in variables],
            generators=read_generators(),
        )
        write_state(self.path, state)

    def restore(self, model: keras.Model) -> int:
        """Bring `model` and its optimizer to the state of the last finished epoch.

        Either everything is restored or, on an error, nothing is changed.

        Args:
            model: A built and compiled model of the saved one's architecture. Its
                optimizer is built here when it is not yet.

        Returns:
            The number of finished epochs, which is the `initial_epoch` for
            `model.fit`; 0, with the model as it was, when there is no file.

        Raises:
            ValueError: The file is damaged, was written on another backend, or fits
                another architecture; or the model is not built or not compiled.
        """
        if not self.path.exists():
            return 0
        if not model.built:
            raise ValueError(
                "`model` must be built before it is restored. Received: "
                f"model={model.name}, which was neither built nor called"
            )
        state = read_state(self.path)
        variables = _variables(model)
        self._check(state, variables)
        for variable, array in zip(variables, state.arrays, strict=True):
            # bfloat16 was stored as float32; that and the way back are exact.
            tensor = keras.ops.convert_to_tensor(array)
            variable.assign(keras.ops.cast(tensor, variable.dtype))
        set_generators(state.generators)
        self._generators = state.generators
        return state.finished_epochs

    def _check(self, state: TrainingState, variables: list[keras.Variable]) -> None:
        """Raise `ValueError` where the file and the model's variables differ."""
        backend = keras.backend.backend()
        if state.backend != backend:
            raise ValueError(
                f"{self.path}: must come from the active backend, {backend!r}, since "
                f"random streams differ. Received: a file from {state.backend!r}"
            )
        saved = [
            _Description(path, array.shape, dtype)
            for path, array, dtype in zip(
                state.paths, state.arrays, state.dtypes, strict=True
            )
        ]
        wanted = [_Description(v.path, tuple(v.shape), v.dtype) for v in variables]
        for index, (have, want) in enumerate(zip_longest(saved, wanted)):
            if have is None or want is None or have.family != want.family:
                raise ValueError(
                    f"{self.path}: variable {index} of the {len(wanted)} of the model "
                    f"and its optimizer must be {want}. Received: {have}"
                )


class _Description(NamedTuple):
    """What must agree between a variable of the file and one of the model."""

    path: str
    shape: tuple[int, ...]
    dtype: str

    @property
    def family(self) -> tuple[str, tuple[int, ...], str]:
        """This, with only what stays of the path when the model is built anew.

        Keras numbers like-named layers in the order of their making in the process,
        and prefixes a path by what else was being built, such as a wrapping optimizer.
        """
        end = "/".join(self.path.split("/")[-2:])
        return re.sub(r"_\d+(?=[/_]|$)", "", end), self.shape, self.dtype

    def __str__(self) -> str:
        return f"{self.path} of shape {self.shape} and type {self.dtype}"


def _variables(model: keras.Model) -> list[keras.Variable]:
    """List the variables of a model and its optimizer, which is built if need be."""
    optimizer = getattr(model, "optimizer", None)
    if optimizer is None:
        raise ValueError(
            "`model` must be compiled with an optimizer. Received: "
            f"model={model.name} without one"
        )
    if not optimizer.built:
        optimizer.build(model.trainable_variables)
    # A seed generator that two layers share is listed once for each.
    unique = {id(v): v for v in [*model.variables, *optimizer.variables]}
    return list(unique.values())
