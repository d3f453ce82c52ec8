"""The recurrence on JAX: two scans, the backward one written by hand.

The loop carries the states of all steps in one buffer and reads the antecedents' rows,
so its memory does not depend on the number of clusters. Only the states are kept for
the backward pass: the gates of all steps follow from them in a few large products.
A token has one successor at most in each of its clusters, so the backward loop, too,
only reads rows of what the later steps wrote, and never scatters.
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
    arguments = (projected, alpha, beta, recurrent_kernel, h, first_rows)
    return _recurrence(arguments, (rows, next_steps, keep, recurrent_mask))


@jax.custom_vjp
def _recurrence(arguments: Any, links: Any) -> Any:
    return _forward(arguments, links)


def _recurrence_fwd(arguments: Any, links: Any) -> Any:
    states = _forward(arguments, links)
    return states, (arguments, links, states)


def _flat(steps: Any) -> Any:
    """Rows of a `(steps * batch, n)` buffer, from steps `(time, batch, k)`."""
    batch = steps.shape[1]
    return steps * batch + jnp.arange(batch, dtype=steps.dtype)[:, None]


def _read(buffer: Any, rows: Any) -> Any:
    """Sum of the k rows, `(..., n)` from rows `(..., k)`."""
    first, *others = (buffer[rows[..., i]] for i in range(rows.shape[-1]))
    return sum(others, start=first)


def _step_m(alpha: Any, beta: Any, h: Any, antecedents: Any) -> Any:
    half = antecedents.shape[-1]
    return jnp.concatenate([alpha * h[..., :half], beta * antecedents], axis=-1)


def _gates(x: Any, inner: Any, m: Any) -> tuple[Any, tuple]:
    x_r, x_z, x_h = jnp.split(x, 3, axis=-1)
    m_r, m_z, m_h = jnp.split(inner, 3, axis=-1)
    r, z = jax.nn.sigmoid(x_r + m_r), jax.nn.sigmoid(x_z + m_z)
    candidate = jnp.tanh(x_h + r * m_h)
    return (1 - z) * m + z * candidate, (r, z, candidate, m_h)


def _forward(arguments: Any, links: Any) -> Any:
    projected, alpha, beta, recurrent_kernel, h, first_rows = arguments
    rows, _, keep, recurrent_mask = links
    time, batch, _ = projected.shape
    slots, _, half = first_rows.shape
    history = jnp.zeros(((slots + time) * batch, half), h.dtype)
    history = history.at[: slots * batch].set(first_rows.reshape(-1, half))

    def step(carry: Any, inputs: Any) -> Any:
        h, history, offset = carry
        x_t, alpha_t, beta_t, rows_t, keep_t = inputs
        m = _step_m(alpha_t, beta_t, h, _read(history, rows_t))
        masked = m if recurrent_mask is None else m * recurrent_mask
        new, _ = _gates(x_t, masked @ recurrent_kernel, m)
        if keep_t is not None:
            new = jnp.where(keep_t, new, h)
        history = lax.dynamic_update_slice(history, new[:, half:], (offset, 0))
        return (new, history, offset + batch), new

    carry = (h, history, jnp.asarray(slots * batch, "int32"))
    inputs = (projected, alpha, beta, _flat(rows), keep)
    return lax.scan(step, carry, inputs, unroll=UNROLL)[1]


def _backward(residuals: Any, gradient: Any) -> Any:
    arguments, links, states = residuals
    projected, alpha, beta, recurrent_kernel, h, first_rows = arguments
    rows, next_steps, keep, recurrent_mask = links
    units, half = states.shape[-1], first_rows.shape[-1]

    # Everything that does not depend on later steps, for all steps at once.
    history = jnp.concatenate([first_rows, states[..., half:]]).reshape(-1, half)
    antecedents = _read(history, _flat(rows))
    before = jnp.concatenate([h[None], states[:-1]])
    # XLA would rather gather and compute again, in several places, than keep.
    antecedents, before = lax.optimization_barrier((antecedents, before))
    m = _step_m(alpha, beta, before, antecedents)
    masked = m if recurrent_mask is None else m * recurrent_mask
    _, gates = _gates(projected, masked @ recurrent_kernel, m)
    r, z, candidate, m_h = lax.optimization_barrier(gates)
    to_z = _kept((candidate - m) * z * (1 - z), keep)
    to_h = _kept(z * (1 - candidate * candidate), keep)
    to_r = to_h * m_h * r * (1 - r)
    to_inner = jnp.concatenate([to_r, to_z, to_h * r], axis=-1)
    d_h, d_m, d_first_h = _backward_loop(
        gradient, to_inner, _kept(1 - z, keep), arguments, links
    )

    d_inner = jnp.tile(d_h, 3) * to_inner
    # To W x + b: as to U m, but for the reset gate, which acts after that product.
    d_projected = jnp.concatenate([d_inner[..., : 2 * units], d_h * to_h], axis=-1)
    d_kernel = masked.reshape(-1, units).T @ d_inner.reshape(-1, 3 * units)
    d_alpha = jnp.sum(d_m[..., :half] * before[..., :half], axis=-1, keepdims=True)
    d_beta = jnp.sum(d_m[..., half:] * antecedents, axis=-1, keepdims=True)
    d_first = _first_rows_gradient(first_rows, rows, beta * d_m[..., half:])
    return (d_projected, d_alpha, d_beta, d_kernel, d_first_h, d_first), None


_recurrence.defvjp(_recurrence_fwd, _backward)


def _backward_loop(
    gradient: Any, to_inner: Any, to_m: Any, arguments: Any, links: Any
) -> tuple[Any, Any, Any]:
    """Gradients of all states and all m, `(time, batch, units)`, and of the first."""
    _, alpha, beta, recurrent_kernel, h, first_rows = arguments
    _, next_steps, keep, recurrent_mask = links
    time, batch, _ = gradient.shape
    half = first_rows.shape[-1]
    transposed = recurrent_kernel.T

    def step(carry: Any, inputs: Any) -> Any:
        d_h, received, offset = carry
        g_t, to_inner_t, to_m_t, alpha_t, beta_t, next_t, keep_t = inputs
        # What the successors, later steps, hand to the state that they read.
        handed = _read(received, next_t)
        d_h = d_h + g_t + jnp.concatenate([jnp.zeros_like(handed), handed], axis=-1)
        d_masked = (jnp.tile(d_h, 3) * to_inner_t) @ transposed
        if recurrent_mask is not None:
            d_masked = d_masked * recurrent_mask
        d_m = d_h * to_m_t + d_masked
        received = lax.dynamic_update_slice(
            received, beta_t * d_m[:, half:], (offset, 0)
        )
        d_before = jnp.concatenate(
            [alpha_t * d_m[:, :half], jnp.zeros_like(handed)], axis=-1
        )
        if keep_t is not None:
            d_before = d_before + jnp.where(keep_t, 0, d_h)  # padding passes it on
        return (d_before, received, offset - batch), (d_h, d_m)

    # A last step of zeros is what tokens without successor receive.
    received = jnp.zeros(((time + 1) * batch, half), h.dtype)
    carry = (jnp.zeros_like(h), received, jnp.asarray((time - 1) * batch, "int32"))
    inputs = (gradient, to_inner, to_m, alpha, beta, _flat(next_steps), keep)
    (d_first_h, _, _), (d_h, d_m) = lax.scan(step, carry, inputs, reverse=True)
    return d_h, d_m, d_first_h


def _first_rows_gradient(first_rows: Any, rows: Any, d_read: Any) -> Any:
    """Only rows of an initial memory get one."""
    d_first = jnp.zeros_like(first_rows)
    slots, batch, _ = first_rows.shape
    if slots == 1:
        return d_first
    row_of = jnp.where(rows < slots, rows, slots)
    for i in range(rows.shape[-1]):
        at = d_first.at[row_of[..., i], jnp.arange(batch)]
        d_first = at.add(d_read, mode="drop")
    return d_first


def _kept(values: Any, keep: Any) -> Any:
    return values if keep is None else jnp.where(keep, values, 0)
