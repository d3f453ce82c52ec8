"""The norm of the gradients that an optimizer is given, at no second backward pass."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import keras
from keras import ops


class GradientNorm:
    """Reads the global norm of the gradients of a model's training steps.

    It stands before the optimizer's `apply`, in the very step that is compiled: the sum
    of squares of what is there anyway, before any clipping. PyTorch keeps it as a
    tensor, TensorFlow in a variable that is neither the model's nor the optimizer's,
    and from JAX's compiled step a host callback brings it.

    With a loss scale it is the norm of the true gradients; of a step that the scale
    skips, there is none.
    """

    def __init__(self) -> None:
        self._optimizer: Any = None
        self._last: Any = None

    def attach(self, model: keras.Model) -> None:
        """Stands before the model's optimizer; its step is compiled anew."""
        # The wrapper for float16 hands the gradients on, with the scale taken off.
        self._optimizer = getattr(model.optimizer, "inner_optimizer", model.optimizer)
        self._last = None
        take = _SINKS[keras.backend.backend()](self)
        apply = self._optimizer.apply

        def measured(grads: Sequence[Any], *args: Any, **kwargs: Any) -> Any:
            grads = list(grads)
            take(_global_norm(grads))
            return apply(grads, *args, **kwargs)

        self._optimizer.apply = measured
        model.make_train_function(force=True)

    def detach(self, model: keras.Model) -> None:
        """Takes it away; a later `fit` compiles its step anew. Twice does no harm."""
        if self._optimizer is not None:
            del self._optimizer.apply  # The class has its own.
            self._optimizer = None
            model.train_function = None

    def read(self) -> float | None:
        """The norm of the last step; None before the first, or if it is no number."""
        if keras.backend.backend() == "jax":
            import jax

            jax.effects_barrier()
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


def _jax_sink(norm: GradientNorm) -> Any:
    import jax

    return lambda value: jax.debug.callback(norm.keep, value)


def _tensorflow_sink(norm: GradientNorm) -> Any:
    import tensorflow as tf

    variable = tf.Variable(math.nan, dtype="float32", trainable=False)
    norm.keep(variable)
    return variable.assign


def _torch_sink(norm: GradientNorm) -> Any:
    return lambda value: norm.keep(value.detach())


_SINKS = {"jax": _jax_sink, "tensorflow": _tensorflow_sink, "torch": _torch_sink}
