"""The recurrence on PyTorch: two loops in one `torch.autograd.Function`.

See `keras_cgru.kernels.jax_kernel` for the method. PyTorch starts every operation of
every step from Python, so a step has as few as possible, on preallocated memory.
"""

from __future__ import annotations

from typing import Any

import torch


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
    return _Recurrence.apply(
        projected,
        alpha,
        beta,
        recurrent_kernel,
        h,
        first_rows,
        rows,
        next_steps,
        keep,
        recurrent_mask,
    )


class _Recurrence(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, *inputs: Any) -> Any:
        states = _forward(*inputs)
        ctx.save_for_backward(*inputs, states)
        return states

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx: Any, gradient: Any) -> Any:
        return (*_backward(ctx.saved_tensors, gradient), None, None, None, None)


def _flat(steps: Any) -> Any:
    """Rows of a `(steps * batch, n)` buffer, from steps `(time, batch, k)`."""
    batch = torch.arange(steps.shape[1], dtype=steps.dtype, device=steps.device)
    return (steps * steps.shape[1] + batch[:, None]).long()


def _read(buffer: Any, rows: Any) -> Any:
    """Sum of the k rows, `(..., n)` from rows `(..., k)`."""
    first = buffer[rows[..., 0]]
    for i in range(1, rows.shape[-1]):
        first = first + buffer[rows[..., i]]
    return first


def _forward(
    projected: Any,
    alpha: Any,
    beta: Any,
    recurrent_kernel: Any,
    h: Any,
    first_rows: Any,
    rows: Any,
    next_steps: Any,
    keep: Any,
    recurrent_mask: Any,
) -> Any:
    time, batch, _ = projected.shape
    units, half = h.shape[-1], first_rows.shape[-1]
    start = first_rows.shape[0] * batch
    history = projected.new_zeros((start + time * batch, half))
    history[:start] = first_rows.reshape(-1, half)
    states = projected.new_empty((time, batch, units))
    m = projected.new_empty((batch, units))
    flat_rows = _flat(rows)
    x_gates, x_h = projected[..., : 2 * units], projected[..., 2 * units :]
    for t in range(time):
        torch.mul(h[:, :half], alpha[t], out=m[:, :half])
        torch.mul(_read(history, flat_rows[t]), beta[t], out=m[:, half:])
        masked = m if recurrent_mask is None else m * recurrent_mask
        inner = masked @ recurrent_kernel
        gates = torch.sigmoid_(x_gates[t] + inner[:, : 2 * units])
        candidate = torch.tanh_(
            torch.addcmul(x_h[t], gates[:, :units], inner[:, 2 * units :])
        )
        new = torch.lerp(m, candidate, gates[:, units:])
        if keep is not None:
            new = torch.where(keep[t], new, h)
        states[t] = h = new
        history[start + t * batch : start + (t + 1) * batch] = new[:, half:]
    return states


def _backward(saved: Any, gradient: Any) -> tuple:
    projected, alpha, beta, recurrent_kernel, h, first_rows = saved[:6]
    rows, next_steps, keep, recurrent_mask, states = saved[6:]
    units, half = h.shape[-1], first_rows.shape[-1]

    # Everything that does not depend on later steps, for all steps at once.
    history = torch.cat([first_rows, states[..., half:]]).reshape(-1, half)
    antecedents = _read(history, _flat(rows))
    before = torch.cat([h[None], states[:-1]])
    m = torch.cat([alpha * before[..., :half], beta * antecedents], dim=-1)
    masked = m if recurrent_mask is None else m * recurrent_mask
    m_r, m_z, m_h = (masked @ recurrent_kernel).chunk(3, dim=-1)
    x_r, x_z, x_h = projected.chunk(3, dim=-1)
    r, z = torch.sigmoid(x_r + m_r), torch.sigmoid(x_z + m_z)
    candidate = torch.tanh(x_h + r * m_h)
    to_z = _kept((candidate - m) * z * (1 - z), keep)
    to_h = _kept(z * (1 - candidate * candidate), keep)
    to_r = to_h * m_h * r * (1 - r)
    to_inner = torch.stack([to_r, to_z, to_h * r], dim=2)  # (time, batch, 3, units)
    d_h, d_m, d_first_h = _backward_loop(gradient, to_inner, _kept(1 - z, keep), saved)

    d_inner = (d_h[:, :, None] * to_inner).flatten(2)
    # To W x + b: as to U m, but for the reset gate, which acts after that product.
    d_projected = torch.cat([d_inner[..., : 2 * units], d_h * to_h], dim=-1)
    d_kernel = masked.flatten(0, 1).T @ d_inner.flatten(0, 1)
    d_alpha = (d_m[..., :half] * before[..., :half]).sum(-1, keepdim=True)
    d_beta = (d_m[..., half:] * antecedents).sum(-1, keepdim=True)
    d_first = _first_rows_gradient(first_rows, rows, beta * d_m[..., half:])
    return d_projected, d_alpha, d_beta, d_kernel, d_first_h, d_first


def _backward_loop(gradient: Any, to_inner: Any, to_m: Any, saved: Any) -> tuple:
    """Gradients of all states and all m, `(time, batch, units)`, and of the first."""
    _, alpha, beta, recurrent_kernel, h, first_rows = saved[:6]
    _, next_steps, keep, recurrent_mask, _ = saved[6:]
    time, batch, units = gradient.shape
    half = first_rows.shape[-1]
    transposed = recurrent_kernel.T.contiguous()
    # A last step of zeros is what tokens without successor receive.
    received = gradient.new_zeros(((time + 1) * batch, half))
    all_d_h, all_d_m = gradient.clone(), torch.empty_like(gradient)
    d_before = torch.zeros_like(h)
    flat_next = _flat(next_steps)
    for t in reversed(range(time)):
        d_h, d_m = all_d_h[t], all_d_m[t]
        d_h += d_before
        # What the successors, later steps, hand to the state that they read.
        d_h[:, half:] += _read(received, flat_next[t])
        d_masked = (d_h[:, None] * to_inner[t]).flatten(1) @ transposed
        if recurrent_mask is not None:
            d_masked = d_masked * recurrent_mask
        torch.addcmul(d_masked, d_h, to_m[t], out=d_m)
        torch.mul(d_m[:, half:], beta[t], out=received[t * batch : (t + 1) * batch])
        d_before = torch.zeros_like(h)
        torch.mul(d_m[:, :half], alpha[t], out=d_before[:, :half])
        if keep is not None:
            d_before += torch.where(keep[t], 0, d_h)  # padding passes it on
    return all_d_h, all_d_m, d_before


def _first_rows_gradient(first_rows: Any, rows: Any, d_read: Any) -> Any:
    """Only rows of an initial memory get one."""
    slots, batch, half = first_rows.shape
    # Reads of states land on a row behind the others, which is cut off.
    summed = d_read.new_zeros(((slots + 1) * batch, half))
    flat = _flat(rows.clamp(max=slots))
    for i in range(rows.shape[-1]):
        summed.index_add_(0, flat[..., i].flatten(), d_read.flatten(0, 1))
    return summed[: slots * batch].reshape(first_rows.shape)


def _kept(values: Any, keep: Any) -> Any:
    return values if keep is None else torch.where(keep, values, 0)
