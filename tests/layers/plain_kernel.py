"""A kernel for any cell, in the operations of every backend: slow, and unrolled."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from keras import ops


class PlainKernel:
    """Of a cell that brings its kernel from outside the package."""

    def find_kernel(self) -> Callable[..., Any]:
        return functools.partial(plain_kernel, self)


def plain_kernel(
    cell: Any,
    *,
    x: Any,
    counts: Any,
    rows: Any,
    keep: Any,
    keys: Any,
    h: Any,
    first_rows: Any,
    recurrent_mask: Any,
    carried: Any = (),
    **_: Any,
) -> Any:
    """All states, `(time, batch, units)`; see `kernels.coref_gru_jax.coref_gru`."""
    time, batch, _ = x.shape
    half = h.shape[-1] // 2
    scores = ops.matmul(x, keys[:, :1] - keys[:, 1:]) - ops.log(ops.maximum(counts, 1))
    alpha = ops.where(counts > 0, ops.sigmoid(scores), 1)
    beta = (1 - alpha) / ops.maximum(counts, 1)
    memory = [] if first_rows is None else list(ops.unstack(first_rows))
    all_h: list[Any] = []
    states = [h, *carried]
    for t in range(time):
        unread = [ops.zeros((batch, half), dtype=x.dtype)] * (time - t)
        halves = ops.stack([*(state[:, half:] for state in all_h), *unread, *memory])
        of_step = ops.transpose(rows[t])[:, :, None]
        read = ops.sum(ops.take_along_axis(halves, of_step, axis=0), axis=0)
        m = ops.concatenate([alpha[t] * states[0][:, :half], beta[t] * read], axis=-1)
        new = cell.update(x[t], m, states[1:], training=recurrent_mask is not None)
        if keep is not None:
            pairs = zip(new, states, strict=True)
            new = [ops.where(keep[t], a, b) for a, b in pairs]
        states = new
        all_h.append(states[0])
    return (ops.stack(all_h), states[1:]) if carried else ops.stack(all_h)
