"""The compiled programs of a model, for the next one of its kind."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import keras


class LastModel:
    """The model that was trained last, whose programs the next one may use.

    To trace a training step takes seconds for each shape of a batch, as long as a
    hundred updates do. A model that differs from the last one in its variables alone
    takes that over: it gets the new weights, optimizer and random states, and keeps
    its programs. (On PyTorch the masks of dropout are another draw than a new model's:
    Keras takes them from one generator of the process there.)

    One model alone: the programs of a reader of three layers take 200 MiB for each
    shape of a batch. Its owner is whoever trains several, as a worker of `run_cells`.
    """

    def __init__(self) -> None:
        self._kept: tuple[Any, keras.Model] | None = None

    @contextmanager
    def reused_for(self, new: keras.Model, kind: Any) -> Iterator[keras.Model]:
        """The new model, with the programs of the last one where they fit.

        It is kept for the next where the block ends well; one whose training fails
        half-way is not used again.

        Args:
            new: A compiled model that has not been trained.
            kind: All that its programs depend on, comparable: options of the model
                and of the optimizer. Not the seed.
        """
        kept, self._kept = self._kept, None
        model = new
        if kept is not None and kept[0] == kind:
            model = kept[1]
            _become(model, new)
        yield model
        self._kept = kind, model


def _become(model: keras.Model, other: keras.Model) -> None:
    """Gives a compiled model all that another of its kind has but its programs."""
    # Built, an optimizer has its moments and the moving average of the weights.
    other.optimizer.build(other.trainable_variables)
    if not model.optimizer.built:
        model.optimizer.build(model.trainable_variables)
    for part, source in ((model, other), (model.optimizer, other.optimizer)):
        # With the random states of dropout, which are no weights.
        for variable, value in zip(part.variables, source.variables, strict=True):
            variable.assign(value)
