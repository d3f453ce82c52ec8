"""The recurrence on JAX: two scans, the backward one written by hand.

The loop carries the states of all steps in one buffer and reads the antecedent's row,
so its memory does not depend on the number of clusters. Only the states are kept for
the backward pass: the gates of all steps follow from them in a few large products.
A token has at most one successor in its cluster, so the backward loop, too, only
reads one row of what the later steps wrote, and never scatters.
"""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
from jax import lax

UNROLL = 4


def coref_gru(
    projected: Any,  # (time, batch, 3 * units) W x + b, gates r, z, h
    alpha: Any,  # (time, batch, 1) weight of the sequential side
    rows: Any,  # (time, batch) row of the antecedent in [first_rows; states]
    next_steps: Any,  # (time, batch) step of the successor; `time` for none
    keep: Any,  # (time, batch, 1) False at padding, or None
    recurrent_kernel: Any,  # (units, 3 * units)
    recurrent_mask: Any,  # (batch, units) factors of m under dropout, or None
    h: Any,  # (batch, units)
    first_rows: Any,  # (slots, batch, units // 2); row 0 is zeros, the null antecedent
) -> Any:
    """All states of a Coref-GRU, `(time, batch, units)`, in reading order."""
    arguments = (projected, alpha, recurrent_kernel, h, first_rows)
    return _recurrence(arguments, (rows, next_steps, keep, recurrent_mask))


@jax.custom_vjp
def _recurrence(arguments: Any, links: Any) -> Any:
    return _forward(arguments, links)


def _recurrence_fwd(arguments: Any, links: Any) -> Any:
    states = _forward(arguments, links)
    return states, (arguments, links, states)


def _step_m(alpha: Any, h: Any, antecedent: Any) -> Any:
    half = antecedent.shape[-1]
    return jnp.concatenate([alpha * h[..., :half], (1 - alpha) * antecedent], axis=-1)


def _forward(arguments: Any, links: Any) -> Any:
    projected, alpha, recurrent_kernel, h, first_rows = arguments
    rows, _, keep, recurrent_mask = links
    time, batch, _ = projected.shape
    slots, _, half = first_rows.shape
    flat_rows = rows * batch + jnp.arange(batch, dtype=rows.dtype)
    history = jnp.zeros(((slots + time) * batch, half), h.dtype)
    history = history.at[: slots * batch].set(first_rows.reshape(-1, half))

    def step(carry: Any, inputs: Any) -> Any:
        h, history, offset = carry
        x_t, alpha_t, row_t, keep_t = inputs
        m = _step_m(alpha_t, h, history[row_t])
        masked = m if recurrent_mask is None else m * recurrent_mask
        inner = masked @ recurrent_kernel
        new, _ = _gates(x_t, inner, m)
        if keep_t is not None:
            new = jnp.where(keep_t, new, h)
        history = lax.dynamic_update_slice(history, new[:, half:], (offset, 0))
        return (new, history, offset + batch), new

    offset = jnp.asarray(slots * batch, "int32")
    _, states = lax.scan(
        step, (h, history, offset), (projected, alpha, flat_rows, keep), unroll=UNROLL
    )
    return states


def _gates(x: Any, inner: Any, m: Any) -> tuple[Any, tuple]:
    x_r, x_z, x_h = jnp.split(x, 3, axis=-1)
    m_r, m_z, m_h = jnp.split(inner, 3, axis=-1)
    r, z = jax.nn.sigmoid(x_r + m_r), jax.nn.sigmoid(x_z + m_z)
    candidate = jnp.tanh(x_h + r * m_h)
    return (1 - z) * m + z * candidate, (r, z, candidate, m_h)


def _backward(residuals: Any, gradient: Any) -> Any:
    arguments, links, states = residuals
    projected, alpha, recurrent_kernel, h, first_rows = arguments
    rows, next_steps, keep, recurrent_mask = links
    time, batch, units = states.shape
    slots, _, half = first_rows.shape

    # Everything that does not depend on later steps, for all steps at once.
    history = jnp.concatenate([first_rows, states[..., half:]]).reshape(-1, half)
    antecedents = history[rows * batch + jnp.arange(batch, dtype=rows.dtype)]
    before = jnp.concatenate([h[None], states[:-1]])
    # XLA would rather gather and compute again, in several places, than keep.
    antecedents, before = lax.optimization_barrier((antecedents, before))
    m = _step_m(alpha, before, antecedents)
    masked = m if recurrent_mask is None else m * recurrent_mask
    _, gates = _gates(projected, masked @ recurrent_kernel, m)
    r, z, candidate, m_h = lax.optimization_barrier(gates)
    to_z = (candidate - m) * z * (1 - z)
    to_h = z * (1 - candidate * candidate)
    to_r = to_h * m_h * r * (1 - r)
    to_inner = jnp.concatenate([to_r, to_z, to_h * r], axis=-1)
    to_m = 1 - z
    to_inner, to_m = _kept(to_inner, keep), _kept(to_m, keep)
    transposed = recurrent_kernel.T
    flat_next = next_steps * batch + jnp.arange(batch, dtype=rows.dtype)
    received = jnp.zeros(((time + 1) * batch, half), h.dtype)

    def step(carry: Any, inputs: Any) -> Any:
        d_h, received, offset = carry
        g_t, to_inner_t, to_m_t, alpha_t, next_t, keep_t = inputs
        # What the successor, a later step, hands to the state that it read.
        handed = received[next_t]
        d_h = d_h + g_t + jnp.concatenate([jnp.zeros_like(handed), handed], axis=-1)
        d_masked = (jnp.tile(d_h, 3) * to_inner_t) @ transposed
        if recurrent_mask is not None:
            d_masked = d_masked * recurrent_mask
        d_m = d_h * to_m_t + d_masked
        d_antecedent = (1 - alpha_t) * d_m[:, half:]
        received = lax.dynamic_update_slice(received, d_antecedent, (offset, 0))
        d_before = jnp.concatenate(
            [alpha_t * d_m[:, :half], jnp.zeros_like(d_antecedent)], axis=-1
        )
        if keep_t is not None:
            d_before = d_before + jnp.where(keep_t, 0, d_h)  # padding passes it on
        return (d_before, received, offset - batch), (d_h, d_m)

    offset = jnp.asarray((time - 1) * batch, "int32")
    carry = (jnp.zeros_like(h), received, offset)
    inputs = (gradient, to_inner, to_m, alpha, flat_next, keep)
    (d_first_h, _, _), (d_h, d_m) = lax.scan(step, carry, inputs, reverse=True)

    d_inner = jnp.tile(d_h, 3) * to_inner
    # To W x + b: as to U m, but for the reset gate, which acts after that product.
    d_projected = jnp.concatenate(
        [d_inner[..., : 2 * units], _kept(d_h * to_h, keep)], axis=-1
    )
    d_kernel = masked.reshape(-1, units).T @ d_inner.reshape(-1, 3 * units)
    d_alpha = jnp.sum(
        d_m[..., :half] * before[..., :half] - d_m[..., half:] * antecedents,
        axis=-1,
        keepdims=True,
    )
    d_first = jnp.zeros_like(first_rows)
    if slots > 1:
        # Each row of an initial memory was read by one token at most.
        d_read = (1 - alpha) * d_m[..., half:]
        row_of = jnp.where(rows < slots, rows, slots)
        d_first = d_first.at[row_of, jnp.arange(batch)].add(d_read, mode="drop")
    return (d_projected, d_alpha, d_kernel, d_first_h, d_first), None


def _kept(values: Any, keep: Any) -> Any:
    return values if keep is None else jnp.where(keep, values, 0)


_recurrence.defvjp(_recurrence_fwd, _backward)
