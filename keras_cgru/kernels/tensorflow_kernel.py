"""The recurrence on TensorFlow: two compiled loops, the backward one by hand.

See `keras_cgru.kernels.jax_kernel` for the method. Both loops are compiled by XLA, also
in a model that is not: step by step, TensorFlow spends more on starting operations
than on computing them.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import tensorflow as tf


def coref_gru(
    projected: Any,  # (time, batch, 3 * units) W x + b, gates r, z, h
    alpha: Any,  # (time, batch, 1) weight of the sequential side
    beta: Any,  # (time, batch, 1) weight of each antecedent
    rows: Any,  # (time, batch, k) rows of the antecedents in [first_rows; states]
    next_steps: Any,  # (time, batch, k) steps of the successors; `time` for none
    keep: Any,  # (time, batch, 1) False at padding, or None
    recurrent_kernel: Any,  # (units, 3 * units)
    recurrent_mask: Any,  # (batch, units) factors of m under dropout, or None
    h: Any,  # (batch, units)
    first_rows: Any,  # (slots, batch, units // 2); row 0 is zeros, the null antecedent
) -> Any:
    """All states of a Coref-GRU, `(time, batch, units)`, in reading order."""
    links = (rows, next_steps, keep, recurrent_mask)

    @tf.custom_gradient
    def recurrence(*arguments: Any) -> Any:
        # Else a tape would make the loop record itself for an automatic gradient.
        arguments = tuple(tf.stop_gradient(tensor) for tensor in arguments)
        states = _compiled(_forward, arguments, links)

        def gradient(upstream: Any) -> Any:
            return _compiled(_backward, arguments, links, states, upstream)

        return states, gradient

    return recurrence(
        *(
            tf.convert_to_tensor(tensor)
            for tensor in (projected, alpha, beta, recurrent_kernel, h, first_rows)
        )
    )


def _compiled(function: Callable[..., Any], *arguments: Any) -> Any:
    signature = tuple(
        None if tensor is None else (tuple(tensor.shape), tensor.dtype)
        for tensor in tf.nest.flatten(arguments)
    )
    return _compile(function, signature)(*arguments)


@functools.lru_cache(maxsize=256)
def _compile(function: Callable[..., Any], signature: tuple) -> Callable[..., Any]:
    """A function a signature: TensorFlow warns of code that it traces too often."""
    return tf.function(functools.partial(function), jit_compile=True)


def _step_m(alpha: Any, beta: Any, h: Any, antecedents: Any) -> Any:
    half = antecedents.shape[-1]
    return tf.concat([alpha * h[..., :half], beta * antecedents], axis=-1)


def _gates(x: Any, inner: Any, m: Any) -> tuple[Any, tuple]:
    x_r, x_z, x_h = tf.split(x, 3, axis=-1)
    m_r, m_z, m_h = tf.split(inner, 3, axis=-1)
    r, z = tf.sigmoid(x_r + m_r), tf.sigmoid(x_z + m_z)
    candidate = tf.tanh(x_h + r * m_h)
    return (1 - z) * m + z * candidate, (r, z, candidate, m_h)


def _flat(steps: Any, batch: Any) -> Any:
    """Rows of a `(steps * batch, n)` buffer, from steps `(time, batch, k)`."""
    return steps * batch + tf.range(batch, dtype=steps.dtype)[:, None]


def _put(buffer: Any, step: Any, values: Any) -> Any:
    """Writes `values` `(batch, n)` as a step of `(steps, batch, n)`, in place."""
    return tf.tensor_scatter_nd_update(buffer, [[step]], values[None])


def _read(buffer: Any, flat_rows: Any) -> Any:
    """Sum of k rows of `(steps, batch, n)`: `(..., n)` from rows `(..., k)`."""
    rows = tf.gather(tf.reshape(buffer, (-1, buffer.shape[-1])), flat_rows)
    return tf.squeeze(rows, -2) if rows.shape[-2] == 1 else tf.reduce_sum(rows, -2)


def _forward(arguments: Any, links: Any) -> Any:
    projected, alpha, beta, recurrent_kernel, h, first_rows = arguments
    rows, _, keep, recurrent_mask = links
    time, batch = tf.shape(projected)[0], tf.shape(projected)[1]
    slots, half = tf.shape(first_rows)[0], first_rows.shape[-1]
    units = h.shape[-1]
    flat_rows = _flat(rows, batch)
    first = tf.pad(first_rows, [[0, 0], [0, 0], [units - half, 0]])
    history = tf.concat([first, tf.zeros((time, batch, units), h.dtype)], axis=0)

    def body(t: Any, h: Any, history: Any) -> tuple:
        antecedents = _read(history, flat_rows[t])[:, half:]
        m = _step_m(alpha[t], beta[t], h, antecedents)
        masked = m if recurrent_mask is None else m * recurrent_mask
        new, _ = _gates(projected[t], masked @ recurrent_kernel, m)
        if keep is not None:
            new = tf.where(keep[t], new, h)
        return t + 1, new, _put(history, slots + t, new)

    _, _, history = tf.while_loop(
        lambda t, *_: t < time,
        body,
        (0, h, history),
        shape_invariants=(
            tf.TensorShape([]),
            h.shape,
            tf.TensorShape([None, None, units]),
        ),
    )
    return history[slots:]


def _backward(arguments: Any, links: Any, states: Any, gradient: Any) -> Any:
    projected, alpha, beta, recurrent_kernel, h, first_rows = arguments
    rows, next_steps, keep, recurrent_mask = links
    batch, units = tf.shape(states)[1], states.shape[-1]
    half = first_rows.shape[-1]

    # Everything that does not depend on later steps, for all steps at once.
    history = tf.concat([first_rows, states[..., half:]], axis=0)
    antecedents = _read(history, _flat(rows, batch))
    before = tf.concat([h[None], states[:-1]], axis=0)
    m = _step_m(alpha, beta, before, antecedents)
    masked = m if recurrent_mask is None else m * recurrent_mask
    inner = tf.tensordot(masked, recurrent_kernel, 1)
    _, (r, z, candidate, m_h) = _gates(projected, inner, m)
    to_z = (candidate - m) * z * (1 - z)
    to_h = _kept(z * (1 - candidate * candidate), keep)
    to_r = to_h * m_h * r * (1 - r)
    to_inner = tf.concat([to_r, _kept(to_z, keep), to_h * r], axis=-1)
    to_m = _kept(1 - z, keep)
    d_h, d_m, d_first_h = _backward_loop(gradient, to_inner, to_m, arguments, links)

    d_inner = tf.tile(d_h, (1, 1, 3)) * to_inner
    # To W x + b: as to U m, but for the reset gate, which acts after that product.
    d_projected = tf.concat([d_inner[..., : 2 * units], d_h * to_h], axis=-1)
    d_kernel = tf.matmul(
        tf.reshape(masked, (-1, units)),
        tf.reshape(d_inner, (-1, 3 * units)),
        transpose_a=True,
    )
    d_alpha = tf.reduce_sum(d_m[..., :half] * before[..., :half], -1, keepdims=True)
    d_beta = tf.reduce_sum(d_m[..., half:] * antecedents, -1, keepdims=True)
    d_first = _first_rows_gradient(first_rows, rows, beta * d_m[..., half:])
    return d_projected, d_alpha, d_beta, d_kernel, d_first_h, d_first


def _backward_loop(
    gradient: Any, to_inner: Any, to_m: Any, arguments: Any, links: Any
) -> tuple[Any, Any, Any]:
    """Gradients of all states and all m, `(time, batch, units)`, and of the first."""
    _, alpha, beta, recurrent_kernel, h, first_rows = arguments
    _, next_steps, keep, recurrent_mask = links
    time, batch = tf.shape(gradient)[0], tf.shape(gradient)[1]
    units, half = h.shape[-1], first_rows.shape[-1]
    transposed = tf.transpose(recurrent_kernel)
    flat_next = _flat(next_steps, batch)

    def body(t: Any, d_h: Any, outputs: Any, received: Any) -> tuple:
        # What the successors, later steps, hand to the state that they read.
        handed = _read(received, flat_next[t])
        d_h = d_h + gradient[t] + tf.pad(handed, [[0, 0], [units - half, 0]])
        d_masked = (tf.tile(d_h, (1, 3)) * to_inner[t]) @ transposed
        if recurrent_mask is not None:
            d_masked = d_masked * recurrent_mask
        d_m = d_h * to_m[t] + d_masked
        d_before = tf.pad(alpha[t] * d_m[:, : units - half], [[0, 0], [0, half]])
        if keep is not None:
            d_before = d_before + tf.where(keep[t], tf.zeros_like(d_h), d_h)
        return (
            t - 1,
            d_before,
            _put(outputs, t, tf.concat([d_h, d_m], axis=-1)),
            _put(received, t, beta[t] * d_m[:, units - half :]),
        )

    outputs = tf.zeros((time, batch, 2 * units), h.dtype)
    # A last step of zeros is what tokens without successor receive.
    received = tf.zeros((time + 1, batch, half), h.dtype)
    _, d_first_h, outputs, _ = tf.while_loop(
        lambda t, *_: t >= 0,
        body,
        (time - 1, tf.zeros_like(h), outputs, received),
        shape_invariants=(
            tf.TensorShape([]),
            h.shape,
            tf.TensorShape([None, None, 2 * units]),
            tf.TensorShape([None, None, half]),
        ),
    )
    d_h, d_m = tf.split(outputs, 2, axis=-1)
    return d_h, d_m, d_first_h


def _first_rows_gradient(first_rows: Any, rows: Any, d_read: Any) -> Any:
    """Only rows of an initial memory get one."""
    slots, batch = tf.shape(first_rows)[0], tf.shape(first_rows)[1]
    half = first_rows.shape[-1]
    # Reads of states land on a row behind the others, which is cut off.
    flat = _flat(tf.minimum(rows, slots), batch)
    d_reads = tf.repeat(d_read[:, :, None], rows.shape[-1], axis=2)
    summed = tf.math.unsorted_segment_sum(
        tf.reshape(d_reads, (-1, half)), tf.reshape(flat, (-1,)), (slots + 1) * batch
    )
    return tf.reshape(summed[: slots * batch], tf.shape(first_rows))


def _kept(values: Any, keep: Any) -> Any:
    return values if keep is None else tf.where(keep, values, tf.zeros_like(values))
