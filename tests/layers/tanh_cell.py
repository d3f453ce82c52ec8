"""A second cell with the same memory, a plain one: h' = tanh(W x + U m + b).

All that makes it a cell is here; the package does not know it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import keras
import numpy as np
from keras import ops

from keras_cgru.layers import CorefCell


@keras.saving.register_keras_serializable(package="tests")
class CorefTanhCell(CorefCell):
    def update(self, x: Any, m: Any, carried: list, training: bool) -> list:
        return [self.activation(self.project(x) + self.recur(m, training))]


@keras.saving.register_keras_serializable(package="tests")
class CorefTanhCellWithKernel(CorefTanhCell):
    """It brings a kernel of its own, written in the operations of every backend."""

    def find_kernel(self) -> Callable[..., Any]:
        return tanh_kernel


def tanh_kernel(
    *,
    x: Any,
    counts: Any,
    rows: Any,
    next_steps: Any,
    keep: Any,
    keys: Any,
    kernel: Any,
    recurrent_kernel: Any,
    bias: Any,
    recurrent_mask: Any,
    h: Any,
    first_rows: Any,
) -> Any:
    """All states, `(time, batch, units)`; see `kernels.coref_gru_jax.coref_gru`."""
    time, batch, _ = x.shape
    half = h.shape[-1] // 2
    scores = ops.matmul(x, keys[:, :1] - keys[:, 1:]) - ops.log(ops.maximum(counts, 1))
    alpha = ops.where(counts > 0, ops.sigmoid(scores), 1)
    beta = (1 - alpha) / ops.maximum(counts, 1)
    memory = [] if first_rows is None else list(ops.unstack(first_rows))
    states: list[Any] = []
    for t in range(time):
        unread = [ops.zeros((batch, half))] * (time - t)
        halves = ops.stack([*(state[:, half:] for state in states), *unread, *memory])
        of_step = ops.transpose(rows[t])[:, :, None]
        read = ops.sum(ops.take_along_axis(halves, of_step, axis=0), axis=0)
        m = ops.concatenate([alpha[t] * h[:, :half], beta[t] * read], axis=-1)
        masked = m if recurrent_mask is None else m * recurrent_mask
        inner = ops.matmul(x[t], kernel) + bias + ops.matmul(masked, recurrent_kernel)
        new = ops.tanh(inner)
        h = new if keep is None else ops.where(keep[t], new, h)
        states.append(h)
    return ops.stack(states)


class TanhEquation:
    """The same for `oracle`."""

    @staticmethod
    def forward(wx, um, m, options, keep):
        keep.update(new=np.tanh(wx + um))
        return keep["new"]

    @staticmethod
    def backward(d_out, v, options):
        d_inner = d_out * (1 - v["new"] ** 2)
        return d_inner, d_inner, np.zeros_like(d_out)
