"""The recurrence on TensorFlow: two compiled loops, the backward one by hand.

See `keras_cgru.kernels.coref_gru_jax` for the method and the form of the steps. Both
loops are compiled by XLA, also in a model that is not: step by step, TensorFlow spends
more on starting operations than on computing them.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import keras
import tensorflow as tf

from keras_cgru.kernels.derivatives import no_derivative


def coref_gru(
    *,
    x: Any,  # (time, batch, input_dim)
    counts: Any,  # (time, batch, 1) number of antecedents, in x's dtype
    rows: Any,  # (time, batch, k) steps of the antecedents; its own for none
    next_steps: Any,  # (time, batch, k) steps of the successors; its own for none
    keep: Any,  # (time, batch, 1) False at padding, or None
    keys: Any,  # (input_dim, 2), k1 and k2
    kernel: Any,  # (input_dim, 3 * units), gates r, z, h
    recurrent_kernel: Any,  # (units, 3 * units)
    bias: Any,  # (3 * units,)
    recurrent_mask: Any,  # (batch, units) factors of m under dropout, or None
    h: Any,  # (batch, units)
    first_rows: Any,  # (slots, batch, units // 2), the initial memory, or None
) -> Any:
    """All states of a Coref-GRU, `(time, batch, units)`, in reading order.

    Arguments as in `keras_cgru.kernels.coref_gru_jax.coref_gru`.
    """
    scores = tf.matmul(x, keys[:, :1] - keys[:, 1:])
    scores -= tf.math.log(tf.maximum(counts, 1))
    one_row = x.shape[1] == 1
    if one_row:
        # XLA merges products of one row with what they read, and what a step reads at
        # several places, it copies as a whole: two rows are faster.
        by_step = (x, scores, counts, rows, next_steps, keep, first_rows)
        x, scores, counts, rows, next_steps, keep, first_rows = (
            _twice(values, axis=1) for values in by_step
        )
        h, recurrent_mask = _twice(h, axis=0), _twice(recurrent_mask, axis=0)
    links = (counts, rows, next_steps, keep, recurrent_mask)
    arguments = [x, scores, kernel, recurrent_kernel, bias, h]
    arguments += [] if first_rows is None else [first_rows]

    @tf.custom_gradient
    def recurrence(*inputs: Any) -> Any:
        # Else a tape would make the loop record itself for an automatic gradient.
        arguments = tuple(tf.stop_gradient(tensor) for tensor in inputs)
        states, *saved = _compiled(_forward, arguments, links)

        def gradient(upstream: Any) -> Any:
            given = (arguments, links, saved, tf.stop_gradient(upstream))
            tokens, others = _once(_backward, given, (upstream, *inputs))
            return (*_products(arguments, links, saved, tokens), *others)

        return states, gradient

    states = recurrence(*(tf.convert_to_tensor(tensor) for tensor in arguments))
    return states[:, :1] if one_row else states


def _once(function: Callable[..., Any], arguments: tuple, inputs: tuple) -> Any:
    """What the compiled function gives; refuses to be differentiated for the inputs."""

    @tf.custom_gradient
    def values(*_: Any) -> Any:
        def gradient(*upstream: Any) -> Any:
            raise no_derivative("second derivatives, or derivatives in forward mode")

        found = _compiled(function, *arguments)
        return tf.nest.map_structure(tf.stop_gradient, found), gradient

    return values(*inputs)


def _twice(values: Any, axis: int) -> Any:
    return None if values is None else tf.concat([values, values], axis)


def _compiled(function: Callable[..., Any], *arguments: Any) -> Any:
    signature = tuple(
        None if tensor is None else (tuple(tensor.shape), tensor.dtype)
        for tensor in tf.nest.flatten(arguments)
    )
    return _compile(function, signature)(*arguments)


@functools.lru_cache(maxsize=256)
def _compile(function: Callable[..., Any], signature: tuple) -> Callable[..., Any]:
    """A function a signature: TensorFlow warns of code that it traces too often."""
    return tf.function(functools.partial(function), jit_compile=True, autograph=False)


def _per_token(values: Any) -> Any:
    """`(time, batch, n)`, or None, as `(time * batch, n)`."""
    return None if values is None else tf.reshape(values, (-1, values.shape[-1]))


def _flat(steps: Any) -> Any:
    """Rows of a `(steps * batch, n)` buffer, from steps `(time, batch, k)`."""
    batch = tf.shape(steps)[1]
    return _per_token(steps * batch + tf.range(batch, dtype=steps.dtype)[:, None])


def _at(values: Any, start: Any, batch: Any) -> Any:
    """The rows of one step."""
    return tf.slice(values, [start, 0], [batch, values.shape[1]])


def _put(buffer: Any, values: Any, start: Any, column: int = 0) -> Any:
    # XLA's own operation for it, in place.
    return keras.ops.slice_update(buffer, tf.stack([start, column]), values)


def _put_all(buffers: Any, values: Any, start: Any) -> list:
    pairs = zip(buffers, values, strict=True)
    return [_put(buffer, value, start) for buffer, value in pairs]


def _distinct(tokens: Any, widths: Sequence[int], dtype: Any) -> list:
    """Buffers of different values, else XLA makes one array and copies it."""
    return [tf.fill((tokens, n), tf.cast(i, dtype)) for i, n in enumerate(widths)]


def _loop(times: Any, step: Callable[..., Any], carry: Any) -> Any:
    """`carry` after `step(i, *carry)` for each i; Nones stay what they are."""
    # The number of rows need not be known before the program is compiled.
    invariants = tf.nest.map_structure(
        lambda tensor: tf.TensorShape([None, *tensor.shape[1:]]), carry
    )
    return tf.while_loop(
        lambda i, *_: i < times,
        lambda i, *carry: (i + 1, *step(i, *carry)),
        (0, *carry),
        shape_invariants=(tf.TensorShape([]), *invariants),
    )[1:]


def _read(buffer: Any, rows: Any, weights: Any) -> Any:
    """Weighted sum of k rows, `(batch, units)` from rows `(batch, k)`.

    By a gather: XLA would compile slices at these rows anew for all other rows.
    """
    return tf.reduce_sum(weights[..., None] * tf.gather(buffer, rows), axis=1)


def _sigmoid(x: Any) -> Any:
    # The quickest form, but its difference from 0 has no digits to spare.
    return tf.sigmoid(x) if x.dtype.size < 4 else 0.5 * tf.tanh(0.5 * x) + 0.5


def _weights(scores: Any, counts: Any) -> tuple[Any, Any]:
    """`alpha` and `beta`."""
    alpha = tf.where(counts > 0, tf.sigmoid(scores), tf.ones_like(scores))
    return alpha, (1 - alpha) / tf.maximum(counts, 1)


def _is_sequential(units: int) -> Any:
    return tf.range(units) < units // 2


def _forward(arguments: Any, links: Any) -> Any:
    x, scores, kernel, recurrent_kernel, bias, h, *first_rows = arguments
    counts, rows, _, keep, recurrent_mask = links
    time, batch, units = tf.shape(x)[0], tf.shape(x)[1], h.shape[-1]
    tokens = time * batch
    sequential = _is_sequential(units)
    biases = tf.split(bias, 3)
    alpha, beta = _weights(scores, counts)
    beta = _per_token(tf.broadcast_to(beta, tf.shape(rows)))
    alpha, rows, keep = _per_token(alpha), _flat(rows), _per_token(keep)

    def step(t: Any, h: Any, states: Any, gates: Any, saved: Any) -> tuple:
        start = t * batch
        x_r, x_z, x_h = (_at(gate, start, batch) for gate in gates)
        own_rows, weights = _at(rows, start, batch), _at(beta, start, batch)
        antecedents = _read(states, own_rows, weights)
        m = tf.where(sequential, _at(alpha, start, batch) * h, antecedents)
        masked = m if recurrent_mask is None else m * recurrent_mask
        m_r, m_z, m_h = tf.split(masked @ recurrent_kernel, 3, axis=-1)
        r = _sigmoid(x_r + m_r + biases[0])
        z = _sigmoid(x_z + m_z + biases[1])
        candidate = tf.tanh(x_h + biases[2] + r * m_h)
        new = m + z * (candidate - m)
        if keep is not None:
            new = tf.where(_at(keep, start, batch), new, h)
        gates = _put_all(gates, (r, z, candidate), start)
        return new, _put(states, new, start), gates, _put_all(saved, (m, m_h), start)

    flat = _per_token(x)
    gates = [flat @ gate for gate in tf.split(kernel, 3, axis=1)]
    states = tf.zeros((tokens, units), h.dtype)
    for memory in first_rows:
        wide = tf.pad(memory, [[0, 0], [0, 0], [units - units // 2, 0]])
        states = tf.concat([states, _per_token(wide)], axis=0)
    # The first of them is what `states` is.
    saved = _distinct(tokens, (units,) * 3, h.dtype)[1:]
    _, states, gates, saved = _loop(time, step, (h, states, gates, saved))
    states = tf.reshape(states[:tokens], (time, batch, units))
    return (states, *gates, *saved)


def _backward(arguments: Any, links: Any, saved: Any, upstream: Any) -> tuple:
    """Gradients of all arguments."""
    *_, m, _ = saved
    x, scores, *_, h = arguments[:6]
    counts, rows, *_ = links
    units = h.shape[-1]
    alpha, beta = _weights(scores, counts)
    d_m, d_inner, d_x_h, d_first_h = _backward_loop(
        upstream, saved, alpha, beta, arguments, links
    )
    # To W x as to U m, but for the candidate, whose reset gate acts on U m.
    d_projected = tf.concat([d_inner[:, : 2 * units], d_x_h], axis=1)

    is_sequential = _is_sequential(units)
    halves = tf.cast(tf.stack([is_sequential, ~is_sequential], axis=1), m.dtype)
    d_weighted = tf.reshape((d_m * m) @ halves, (*tf.unstack(tf.shape(x)[:2]), 2))
    d_scores = (1 - alpha) * d_weighted[..., :1] - alpha * d_weighted[..., 1:]
    d_first_rows = []
    for first_rows in arguments[6:]:
        d_read = beta * tf.reshape(d_m, tf.shape(upstream))[..., units // 2 :]
        slots = rows - tf.shape(x)[0]
        d_first_rows.append(_first_rows_gradient(first_rows, slots, d_read))
    d_scores = tf.where(counts > 0, d_scores, tf.zeros_like(d_scores))
    others = (tf.reduce_sum(d_projected, 0), d_first_h, *d_first_rows)
    return (d_inner, d_projected, d_scores), others


def _products(arguments: Any, links: Any, saved: Any, tokens: Any) -> tuple:
    """Gradients of x, scores, kernel and recurrent kernel.

    Not compiled: TensorFlow leaves out what nobody asks for, and is faster at these.
    """
    x, _, kernel, *_ = arguments
    *_, recurrent_mask = links
    *_, masked, _ = saved
    d_inner, d_projected, d_scores = tokens
    if recurrent_mask is not None:
        every_step = (*tf.unstack(tf.shape(x)[:2]), recurrent_mask.shape[-1])
        masked *= _per_token(tf.broadcast_to(recurrent_mask, every_step))
    d_x = tf.matmul(d_projected, kernel, transpose_b=True)
    d_kernel = tf.matmul(_per_token(x), d_projected, transpose_a=True)
    d_recurrent_kernel = tf.matmul(masked, d_inner, transpose_a=True)
    return tf.reshape(d_x, tf.shape(x)), d_scores, d_kernel, d_recurrent_kernel


def _backward_loop(
    upstream: Any, saved: Any, alpha: Any, beta: Any, arguments: Any, links: Any
) -> tuple[Any, Any, Any, Any]:
    """Gradients of all m, of all U m, of the candidates' W x and of the first state."""
    _, _, _, recurrent_kernel, _, h, *_ = arguments
    _, _, next_steps, keep, recurrent_mask = links
    time, batch = tf.shape(upstream)[0], tf.shape(upstream)[1]
    units = h.shape[-1]
    sequential = _is_sequential(units)
    transposed = tf.transpose(recurrent_kernel)
    upstream, keep = _per_token(upstream), _per_token(keep)
    next_steps = _flat(next_steps)
    next_alpha = tf.concat([alpha[1:], tf.zeros_like(alpha[:1])], axis=0)
    next_alpha = _per_token(next_alpha)
    next_beta = tf.gather(tf.reshape(beta, (-1,)), next_steps)

    def step(i: Any, d_m: Any, passed: Any, outputs: Any) -> tuple:
        start = (time - 1 - i) * batch
        r, z, candidate, m, m_h = (_at(values, start, batch) for values in saved)
        successors = _at(next_steps, start, batch)
        handed = _read(outputs[0], successors, _at(next_beta, start, batch))
        d_h = tf.where(sequential, _at(next_alpha, start, batch) * d_m, handed)
        d_h = d_h + _at(upstream, start, batch)
        if keep is not None:  # padding passes it on
            d_h, kept = d_h + passed, _at(keep, start, batch)
            zeros = tf.zeros_like(d_h)
            d_h, passed = tf.where(kept, d_h, zeros), tf.where(kept, zeros, d_h)
        d_x_h = d_h * (z * (1 - candidate * candidate))
        d_inner_h = d_x_h * r
        d_r = d_inner_h * (m_h * (1 - r))
        d_z = d_h * ((candidate - m) * z * (1 - z))
        d_inner = tf.concat([d_r, d_z, d_inner_h], axis=1)
        d_masked = d_inner @ transposed
        if recurrent_mask is not None:
            d_masked = d_masked * recurrent_mask
        d_m = d_h * (1 - z) + d_masked
        return d_m, passed, _put_all(outputs, (d_m, d_inner, d_x_h), start)

    zeros = tf.zeros_like(h)
    outputs = _distinct(time * batch, (units, 3 * units, units), h.dtype)
    d_m, passed, outputs = _loop(time, step, (zeros, zeros, outputs))
    d_first_h = tf.where(sequential, alpha[0] * d_m, zeros)
    return *outputs, d_first_h + passed


def _first_rows_gradient(first_rows: Any, slots: Any, d_read: Any) -> Any:
    """Sums what was read of the initial memory; negative slots are steps."""
    num_slots, batch = tf.shape(first_rows)[0], tf.shape(first_rows)[1]
    half, k = first_rows.shape[-1], slots.shape[-1]
    # Steps land on a row behind the others, which is cut off.
    flat = _flat(tf.where(slots < 0, num_slots, slots))
    d_reads = tf.repeat(d_read[:, :, None], k, axis=2)
    summed = tf.math.unsorted_segment_sum(
        tf.reshape(d_reads, (-1, half)),
        tf.reshape(flat, (-1,)),
        (num_slots + 1) * batch,
    )
    return tf.reshape(summed[: num_slots * batch], tf.shape(first_rows))
