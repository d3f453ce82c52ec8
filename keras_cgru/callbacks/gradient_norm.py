"""The norm of the gradients that an optimizer is given, at no second backward pass."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import keras
from keras import ops

Keep = Callable[[Any], None]
# A key of JAX's logs that no metric has; it leaves them before anybody sees them.
_KEY = "gradient norm of the callback"


class GradientNorm:
    """Reads the global norm of the gradients of a model's training steps.

    It stands before the optimizer's update, in the very step that is compiled: the sum
    of squares of what is there anyway, before any clipping. PyTorch keeps it as a
    tensor, TensorFlow in a variable that is neither the model's nor the optimizer's,
    and JAX's compiled step gives it along with the metrics. Nobody waits for it before
    it is read.

    With a loss scale it is the norm of the true gradients; of a step that the scale
    skips, there is none.
    """

    def __init__(self) -> None:
        self._detach: Callable[[], None] | None = None
        self._last: Any = None

    def attach(self, model: keras.Model) -> None:
        """Stands before the model's optimizer; its step is compiled anew."""
        self._last = None
        self._detach = _ATTACH[keras.backend.backend()](model, self.keep)

    def detach(self, model: keras.Model) -> None:
        """Takes it away; a later `fit` compiles its step anew. Twice does no harm."""
        if self._detach is not None:
            self._detach()
            self._detach = None
            model.train_function = None

    def read(self) -> float | None:
        """The norm of the last step; None before the first, or if it is no number."""
        if self._last is None:
            return None
        norm = float(ops.convert_to_numpy(self._last))
        return norm if math.isfinite(norm) else None

    def keep(self, norm: Any) -> None:
        """Takes the norm of a step."""
        self._last = norm


def _global_norm(grads: Sequence[Any]) -> Any:
    squares = [
        # Sparse gradients of an embedding become dense, and equal rows one.
        ops.sum(ops.square(ops.cast(ops.convert_to_tensor(each), "float32")))
        for each in grads
        if each is not None
    ]
    return ops.sqrt(sum(squares[1:], squares[0]))


def _attach_jax(model: keras.Model, keep: Keep) -> Callable[[], None]:
    # A host callback would bring it too, but slows each step by a fifth.
    optimizer = model.optimizer
    step, apply = model.train_step, optimizer.stateless_apply
    traced: list[Any] = []

    def stateless_apply(variables: Any, grads: Any, *args: Any) -> Any:
        scale = _loss_scale(optimizer, variables)
        traced.append(_global_norm(grads) / scale)
        return apply(variables, grads, *args)

    def train_step(state: Any, data: Any) -> Any:
        traced.clear()
        logs, state = step(state, data)
        return {**logs, _KEY: traced.pop()}, state

    optimizer.stateless_apply, model.train_step = stateless_apply, train_step
    model.make_train_function(force=True)
    function = model.train_function

    def train_function(state: Any, iterator: Any) -> Any:
        logs, state = function(state, iterator)
        keep(logs.pop(_KEY))
        return logs, state

    model.train_function = train_function

    def detach() -> None:
        # The classes have their own.
        del optimizer.stateless_apply, model.train_step

    return detach


def _loss_scale(optimizer: Any, variables: Sequence[Any]) -> Any:
    """What the gradients are too large by, for float16."""
    scale = getattr(optimizer, "dynamic_scale", None)
    pairs = zip(optimizer.variables, variables, strict=True)
    return next((value for variable, value in pairs if variable is scale), 1.0)


def _attach_tensorflow(model: keras.Model, keep: Keep) -> Callable[[], None]:
    import tensorflow as tf

    variable = tf.Variable(math.nan, dtype="float32", trainable=False)
    keep(variable)
    return _before_apply(model, variable.assign)


def _attach_torch(model: keras.Model, keep: Keep) -> Callable[[], None]:
    return _before_apply(model, lambda norm: keep(norm.detach()))


def _before_apply(model: keras.Model, take: Keep) -> Callable[[], None]:
    # The wrapper for float16 hands the gradients on, with the scale taken off.
    optimizer = getattr(model.optimizer, "inner_optimizer", model.optimizer)
    apply = optimizer.apply

    def measured(grads: Sequence[Any], *args: Any, **kwargs: Any) -> Any:
        grads = list(grads)
        take(_global_norm(grads))
        return apply(grads, *args, **kwargs)

    optimizer.apply = measured
    model.make_train_function(force=True)

    def detach() -> None:
        del optimizer.apply  # The class has its own.

    return detach


_ATTACH = {
    "jax": _attach_jax,
    "tensorflow": _attach_tensorflow,
    "torch": _attach_torch,
}
