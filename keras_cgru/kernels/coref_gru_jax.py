"""The recurrence on JAX: two loops, the backward one written by hand.

The loop keeps all states in one buffer and reads the antecedents' rows, so its memory
does not depend on the number of clusters. A token has one successor at most in each of
its clusters, so the backward loop mirrors the forward one: where a step reads

    m_t = alpha_t * h_{t-1} || beta_t * h_{antecedent of t}

the gradient of its state is

    d_h_t = upstream_t + (alpha_{t+1} * d_m_{t+1} || beta_s * d_m_{successor s of t})

so that it, too, only reads rows of what other steps wrote, and never scatters.

What a step takes on a CPU is less arithmetic than data movement, hence the form:
each gate has an array of its own, because XLA does not vectorise a kernel that slices
what it reads from a larger array at a step; the forward loop overwrites what it has
read with what it computes (gates over their inputs), because the first touch of new
memory costs more than the arithmetic on it; and the backward loop computes the factors
of a step at that step, where they stay in the cache. Where XLA is not known to
overwrite without a copy at every step, it is not tried.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
from jax import lax

from keras_cgru.kernels.derivatives import no_derivative

# The largest batch whose rows are read one by one on a CPU.
MAX_LOOP_BATCH = 32


def coref_gru(
    *,
    x: Any,  # (time, batch, input_dim)
    counts: Any,  # (time, batch, 1) number of antecedents, in x's dtype
    rows: Any,  # (time, batch, k) steps of the antecedents, see below
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

    An antecedent in the initial memory has the "step" `time + slot`, and one that is
    missing has the token's own step, of which nothing is written yet.
    `alpha` is a softmax over the sequential key and one coreferent key for each
    antecedent, and 1 without; `beta`, the weight of each antecedent, has the rest.
    """
    scores = x @ (keys[:, :1] - keys[:, 1:]) - jnp.log(jnp.maximum(counts, 1))
    arguments = (x, scores, kernel, recurrent_kernel, bias, h, first_rows)
    try:
        return _recurrence(arguments, (counts, rows, next_steps, keep, recurrent_mask))
    except (TypeError, NotImplementedError) as error:
        # Of a call under `jax.jvp` and `jax.jacfwd`; JAX is not to be asked before.
        if "custom_vjp" not in str(error) and "custom_lin" not in str(error):
            raise
        raise no_derivative("derivatives in forward mode") from error


@jax.custom_vjp
def _recurrence(arguments: Any, links: Any) -> Any:
    return _forward(arguments, links, save=False)[0]


def _recurrence_fwd(arguments: Any, links: Any) -> Any:
    batch = arguments[0].shape[1]
    if batch == 1:
        # XLA merges products of one row with what they read, and what a step reads at
        # several places, it copies as a whole: two rows are faster.
        arguments, links = _two_rows(arguments, links)
    states, saved = _forward(arguments, links, save=True)
    return states[:, :batch], (arguments, links, saved)


def _recurrence_bwd(residuals: Any, upstream: Any) -> Any:
    arguments, links, saved = residuals
    if upstream.shape[1] == arguments[0].shape[1]:
        return _backward(arguments, links, saved, upstream), None
    upstream = jnp.pad(upstream, ((0, 0), (0, 1), (0, 0)))
    d_x, d_scores, *d_weights, d_h, d_first_rows = _backward(
        arguments, links, saved, upstream
    )
    if d_first_rows is not None:
        d_first_rows = d_first_rows[:, :1]
    return (d_x[:, :1], d_scores[:, :1], *d_weights, d_h[:1], d_first_rows), None


_recurrence.defvjp(_recurrence_fwd, _recurrence_bwd)


def _two_rows(arguments: Any, links: Any) -> tuple[tuple, tuple]:
    """The same with a batch's only row twice."""
    x, scores, *weights, h, first_rows = arguments
    *by_step, recurrent_mask = links
    x, scores, first_rows, *by_step = (
        None if values is None else jnp.repeat(values, 2, axis=1)
        for values in (x, scores, first_rows, *by_step)
    )
    h, recurrent_mask = (
        None if values is None else jnp.repeat(values, 2, axis=0)
        for values in (h, recurrent_mask)
    )
    return (x, scores, *weights, h, first_rows), (*by_step, recurrent_mask)


def _flat(steps: Any) -> Any:
    """Rows of a `(steps * batch, n)` buffer, from steps `(time, batch, k)`."""
    time, batch, k = steps.shape
    flat = steps * batch + jnp.arange(batch, dtype=steps.dtype)[:, None]
    return flat.reshape(time * batch, k)


def _on_cpu() -> bool:
    return jax.default_backend() == "cpu"


def _per_token(values: Any) -> Any:
    """`(time, batch, n)`, or None, as `(time * batch, n)`."""
    return None if values is None else values.reshape(-1, values.shape[-1])


def _at(values: Any, start: Any, batch: int) -> Any:
    """The rows of one step."""
    return lax.dynamic_slice(values, (start, 0), (batch, values.shape[1]))


def _put(buffer: Any, values: Any, start: Any) -> Any:
    return lax.dynamic_update_slice(buffer, values, (start, 0))


def _read(buffer: Any, rows: Any, weights: Any) -> Any:
    """Weighted sum of k rows, `(batch, units)` from rows `(batch, k)`.

    Of the coreferent half; the other may be zeros.
    """
    batch, k = rows.shape
    units = buffer.shape[1]
    if batch > MAX_LOOP_BATCH or not _on_cpu():
        read = (buffer.at[rows[:, i]].get(mode="clip") for i in range(k))
        return sum(weights[:, i : i + 1] * row for i, row in enumerate(read))

    # On a CPU, XLA starts threads for a gather; a short loop takes less than that.
    half = jnp.asarray(units // 2, rows.dtype)

    def read_row(b: Any, read: Any) -> Any:
        row = sum(
            weights[b, i]
            * lax.dynamic_slice(buffer, (rows[b, i], half), (1, units // 2))
            for i in range(k)
        )
        return lax.dynamic_update_slice(read, row, (b.astype(rows.dtype), half))

    return lax.fori_loop(0, batch, read_row, jnp.zeros((batch, units), buffer.dtype))


def _sigmoid(x: Any) -> Any:
    # The quickest form, but its difference from 0 has no digits to spare.
    if jnp.finfo(x.dtype).bits < 32:
        return jax.nn.sigmoid(x)
    return 0.5 * jnp.tanh(0.5 * x) + 0.5


def _weights(scores: Any, counts: Any) -> tuple[Any, Any]:
    """`alpha` and `beta`."""
    alpha = jnp.where(counts > 0, jax.nn.sigmoid(scores), 1)
    return alpha, (1 - alpha) / jnp.maximum(counts, 1)


def _is_sequential(units: int) -> Any:
    return jnp.arange(units) < units // 2


def _forward(arguments: Any, links: Any, save: bool) -> Any:
    x, scores, kernel, recurrent_kernel, bias, h, first_rows = arguments
    counts, rows, _, keep, recurrent_mask = links
    time, batch, _ = x.shape
    tokens, units = time * batch, h.shape[-1]
    sequential = _is_sequential(units)
    biases = jnp.split(bias, 3)
    alpha, beta = _weights(scores, counts)
    beta = jnp.broadcast_to(beta, rows.shape)
    alpha, beta = _per_token(alpha), _per_token(beta)
    rows, keep = _flat(rows), _per_token(keep)

    def step(t: Any, carry: Any) -> Any:
        h, states, gates, saved = carry
        start = t * batch
        read = gates if _on_cpu() else projected
        x_r, x_z, x_h = (_at(gate, start, batch) for gate in read)
        weights = _at(beta, start, batch)
        antecedents = _read(states, _at(rows, start, batch), weights)
        m = jnp.where(sequential, _at(alpha, start, batch) * h, antecedents)
        masked = m if recurrent_mask is None else m * recurrent_mask
        m_r, m_z, m_h = jnp.split(masked @ recurrent_kernel, 3, axis=-1)
        r = _sigmoid(x_r + m_r + biases[0])
        z = _sigmoid(x_z + m_z + biases[1])
        candidate = jnp.tanh(x_h + biases[2] + r * m_h)
        new = m + z * (candidate - m)
        if keep is not None:
            new = jnp.where(_at(keep, start, batch), new, h)
        if saved is not None:
            gates = _put_all(gates, (r, z, candidate), start)
            saved = _put_all(saved, (m, m_h), start)
        return new, _put(states, new, start), gates, saved

    # A product for each gate: a slice of one for all would be a pass over memory.
    projected = tuple(_per_token(x) @ gate for gate in jnp.split(kernel, 3, axis=1))
    states = jnp.zeros((tokens, units), h.dtype)
    if first_rows is not None:
        wide = jnp.pad(first_rows, ((0, 0), (0, 0), (units - units // 2, 0)))
        states = jnp.concatenate([states, _per_token(wide)])
    # The first of them is what `states` is.
    saved = _distinct(tokens, (units,) * 3, h.dtype)[1:] if save else None
    carry = (h, states, projected, saved)
    _, states, gates, saved = lax.fori_loop(0, time, step, carry)
    saved = (*gates, *saved) if save else None
    return states[:tokens].reshape(time, batch, units), saved


def _distinct(tokens: int, widths: Sequence[int], dtype: Any) -> tuple:
    """Buffers of different values, else XLA makes one array and copies it."""
    return tuple(jnp.full((tokens, n), i, dtype) for i, n in enumerate(widths))


def _put_all(buffers: Any, values: Any, start: Any) -> tuple:
    pairs = zip(buffers, values, strict=True)
    return tuple(_put(buffer, value, start) for buffer, value in pairs)


def _backward(arguments: Any, links: Any, saved: Any, upstream: Any) -> tuple:
    """Gradients of all arguments."""
    m = saved[3]
    x, scores, kernel, _, _, _, first_rows = arguments
    counts, rows, _, _, recurrent_mask = links
    time, _, units = upstream.shape
    alpha, beta = _weights(scores, counts)
    d_m, d_inner, d_x_h, d_first_h = _backward_loop(
        _per_token(upstream), saved, alpha, beta, arguments, links
    )

    masked = m
    if recurrent_mask is not None:
        every_step = jnp.broadcast_to(recurrent_mask, upstream.shape)
        masked = m * _per_token(every_step)
    # To W x and to U m alike, but for the candidate, whose reset gate acts on U m.
    # One product for all columns: one for the candidate's alone takes longer.
    d_projected = jnp.concatenate([d_inner[:, : 2 * units], d_x_h], axis=1)

    halves = jnp.stack([_is_sequential(units), ~_is_sequential(units)], axis=1)
    d_weighted = ((d_m * m) @ halves.astype(m.dtype)).reshape(*upstream.shape[:2], 2)
    d_scores = (1 - alpha) * d_weighted[..., :1] - alpha * d_weighted[..., 1:]
    d_first_rows = None
    if first_rows is not None:
        d_read = beta * d_m.reshape(upstream.shape)[..., units // 2 :]
        d_first_rows = _first_rows_gradient(first_rows, rows - time, d_read)
    return (
        (d_projected @ kernel.T).reshape(x.shape),
        jnp.where(counts > 0, d_scores, 0),
        _per_token(x).T @ d_projected,
        masked.T @ d_inner,
        d_projected.sum(0),
        d_first_h,
        d_first_rows,
    )


def _backward_loop(
    upstream: Any, saved: Any, alpha: Any, beta: Any, arguments: Any, links: Any
) -> tuple[Any, Any, Any, Any]:
    """Gradients of all m, of all U m, of the candidates' W x and of the first state."""
    _, _, _, recurrent_kernel, _, h, _ = arguments
    _, _, next_steps, keep, recurrent_mask = links
    time, batch, _ = alpha.shape
    units = h.shape[-1]
    sequential = _is_sequential(units)
    transposed = recurrent_kernel.T
    next_steps, keep = _flat(next_steps), _per_token(keep)
    next_alpha = _per_token(jnp.concatenate([alpha[1:], jnp.zeros_like(alpha[:1])]))
    next_beta = beta.reshape(-1)[next_steps]

    def step(i: Any, carry: Any) -> Any:
        d_m, all_d_m, all_d_inner, all_d_x_h, passed = carry
        start = (time - 1 - i) * batch
        r, z, candidate, m, m_h = (_at(values, start, batch) for values in saved)
        successors = _at(next_steps, start, batch)
        handed = _read(all_d_m, successors, _at(next_beta, start, batch))
        d_h = jnp.where(sequential, _at(next_alpha, start, batch) * d_m, handed)
        d_h = d_h + _at(upstream, start, batch)
        if keep is not None:  # padding passes it on
            d_h, kept = d_h + passed, _at(keep, start, batch)
            d_h, passed = jnp.where(kept, d_h, 0), jnp.where(kept, 0, d_h)
        d_x_h = d_h * (z * (1 - candidate * candidate))
        d_inner_h = d_x_h * r
        d_r = d_inner_h * (m_h * (1 - r))
        d_z = d_h * ((candidate - m) * z * (1 - z))
        d_inner = jnp.concatenate([d_r, d_z, d_inner_h], axis=1)
        d_masked = d_inner @ transposed
        if recurrent_mask is not None:
            d_masked = d_masked * recurrent_mask
        d_m = d_h * (1 - z) + d_masked
        outputs = _put_all(
            (all_d_m, all_d_inner, all_d_x_h), (d_m, d_inner, d_x_h), start
        )
        return d_m, *outputs, passed

    passed = None if keep is None else jnp.zeros_like(h)
    outputs = _distinct(time * batch, (units, 3 * units, units), h.dtype)
    carry = (jnp.zeros_like(h), *outputs, passed)
    d_m, *outputs, passed = lax.fori_loop(0, time, step, carry)
    d_first_h = jnp.where(sequential, alpha[0] * d_m, 0)
    return *outputs, d_first_h if keep is None else d_first_h + passed


def _first_rows_gradient(first_rows: Any, slots: Any, d_read: Any) -> Any:
    """Sums what was read of the initial memory; negative slots are steps."""
    slots = jnp.where(slots < 0, first_rows.shape[0], slots)
    d_first_rows = jnp.zeros_like(first_rows)
    for i in range(slots.shape[-1]):
        at = d_first_rows.at[slots[..., i], jnp.arange(first_rows.shape[1])]
        d_first_rows = at.add(d_read, mode="drop")
    return d_first_rows
