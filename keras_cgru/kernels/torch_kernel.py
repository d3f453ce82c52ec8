"""The recurrence on PyTorch: two loops in one `torch.autograd.Function`.

See `keras_cgru.kernels.jax_kernel` for the method. PyTorch starts every operation of
every step from Python, so a step has as few as possible, on preallocated memory.
"""

from __future__ import annotations

from typing import Any

import torch


def coref_gru(
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

    Arguments as in `keras_cgru.kernels.jax_kernel.coref_gru`.
    """
    scores = x @ (keys[:, :1] - keys[:, 1:]) - counts.clamp(min=1).log()
    arguments = (x, scores, kernel, recurrent_kernel, bias, h, first_rows)
    links = (counts, rows, next_steps, keep, recurrent_mask)
    return _Recurrence.apply(*arguments, *links)


class _Recurrence(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, *inputs: Any) -> Any:
        states = _forward(inputs[:7], inputs[7:])
        ctx.save_for_backward(*inputs, states)
        return states

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx: Any, upstream: Any) -> Any:
        *inputs, states = ctx.saved_tensors
        gradients = _backward(inputs[:7], inputs[7:], states, upstream)
        return (*gradients, None, None, None, None, None)


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


def _weights(scores: Any, counts: Any) -> tuple[Any, Any]:
    """`alpha` and `beta`."""
    alpha = torch.where(counts > 0, torch.sigmoid(scores), 1)
    return alpha, (1 - alpha) / counts.clamp(min=1)


def _with_memory(states: Any, first_rows: Any) -> Any:
    """The coreferent halves that a token may read, `(rows, units // 2)`."""
    half = states.shape[-1] // 2
    halves = states[..., half:].reshape(-1, half)
    if first_rows is None:
        return halves
    return torch.cat([halves, first_rows.reshape(-1, half)])


def _forward(arguments: Any, links: Any) -> Any:
    x, scores, kernel, recurrent_kernel, bias, h, first_rows = arguments
    counts, rows, _, keep, recurrent_mask = links
    time, batch, _ = x.shape
    units, half = h.shape[-1], h.shape[-1] // 2
    alpha, beta = _weights(scores, counts)
    projected = torch.addmm(bias, x.reshape(time * batch, -1), kernel)
    projected = projected.reshape(time, batch, 3 * units)
    x_gates, x_h = projected[..., : 2 * units], projected[..., 2 * units :]
    states = x.new_zeros((time, batch, units))
    history = _with_memory(states, first_rows)
    m = x.new_empty((batch, units))
    flat_rows = _flat(rows)
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
        history[t * batch : (t + 1) * batch] = new[:, half:]
    return states


def _backward(arguments: Any, links: Any, states: Any, upstream: Any) -> tuple:
    """Gradients of all arguments."""
    x, scores, kernel, recurrent_kernel, bias, h, first_rows = arguments
    counts, rows, next_steps, keep, recurrent_mask = links
    time, batch, units = states.shape
    half = units // 2
    alpha, beta = _weights(scores, counts)

    # Everything that does not depend on later steps, for all steps at once.
    history = _with_memory(states, first_rows)
    before = torch.cat([h[None], states[:-1]])
    # A token's own step stands for none: now its state is written there, so zeros.
    own = torch.arange(time, dtype=rows.dtype, device=rows.device)[:, None, None]
    flat_rows = torch.where(rows == own, len(history), _flat(rows))
    antecedents = _read(torch.cat([history, history.new_zeros(1, half)]), flat_rows)
    m = torch.cat([alpha * before[..., :half], beta * antecedents], dim=-1)
    masked = m if recurrent_mask is None else m * recurrent_mask
    m_r, m_z, m_h = (masked @ recurrent_kernel).chunk(3, dim=-1)
    x_r, x_z, x_h = (x @ kernel + bias).chunk(3, dim=-1)
    r, z = torch.sigmoid(x_r + m_r), torch.sigmoid(x_z + m_z)
    candidate = torch.tanh(x_h + r * m_h)
    to_z = (candidate - m) * z * (1 - z)
    to_h = z * (1 - candidate * candidate)
    to_r = to_h * m_h * r * (1 - r)
    to_inner = torch.stack([to_r, to_z, to_h * r], dim=2)  # (time, batch, 3, units)
    d_h, d_m, d_first_h = _backward_loop(
        upstream, to_inner, 1 - z, alpha, beta, arguments, links
    )

    d_inner = (d_h[:, :, None] * to_inner).reshape(time * batch, 3 * units)
    # To W x + b: as to U m, but for the reset gate, which acts after that product.
    d_projected = torch.cat(
        [d_inner[:, : 2 * units], (d_h * to_h).flatten(0, 1)], dim=-1
    )
    d_weighted = d_m * m
    d_sequential = d_weighted[..., :half].sum(-1, keepdim=True)
    d_coreferent = d_weighted[..., half:].sum(-1, keepdim=True)
    d_scores = (1 - alpha) * d_sequential - alpha * d_coreferent
    d_first_rows = None
    if first_rows is not None:
        d_read = beta * d_m[..., half:]
        d_first_rows = _first_rows_gradient(first_rows, rows - time, d_read)
    return (
        (d_projected @ kernel.T).reshape(x.shape),
        torch.where(counts > 0, d_scores, 0),
        x.reshape(time * batch, -1).T @ d_projected,
        masked.flatten(0, 1).T @ d_inner,
        d_projected.sum(0),
        d_first_h,
        d_first_rows,
    )


def _backward_loop(
    upstream: Any,
    to_inner: Any,
    to_m: Any,
    alpha: Any,
    beta: Any,
    arguments: Any,
    links: Any,
) -> tuple[Any, Any, Any]:
    """Gradients of all states and all m, `(time, batch, units)`, and of the first."""
    _, _, _, recurrent_kernel, _, h, _ = arguments
    _, _, next_steps, keep, recurrent_mask = links
    time, batch, units = upstream.shape
    half = units // 2
    transposed = recurrent_kernel.T.contiguous()
    # What a step hands to its antecedents; nothing yet where there is no successor.
    handed = upstream.new_zeros((time * batch, half))
    all_d_h, all_d_m = upstream.clone(), torch.empty_like(upstream)
    d_before = torch.zeros_like(h)
    flat_next = _flat(next_steps)
    for t in reversed(range(time)):
        d_h, d_m = all_d_h[t], all_d_m[t]
        d_h += d_before
        d_h[:, half:] += _read(handed, flat_next[t])
        d_before = torch.zeros_like(h)
        if keep is not None:  # padding passes it on
            d_before = torch.where(keep[t], 0, d_h)
            d_h.mul_(keep[t])
        d_masked = (d_h[:, None] * to_inner[t]).flatten(1) @ transposed
        if recurrent_mask is not None:
            d_masked = d_masked * recurrent_mask
        torch.addcmul(d_masked, d_h, to_m[t], out=d_m)
        torch.mul(d_m[:, half:], beta[t], out=handed[t * batch : (t + 1) * batch])
        d_before[:, :half] += alpha[t] * d_m[:, :half]
    return all_d_h, all_d_m, d_before


def _first_rows_gradient(first_rows: Any, slots: Any, d_read: Any) -> Any:
    """Sums what was read of the initial memory; negative slots are steps."""
    num_slots, batch, half = first_rows.shape
    # Steps land on a row behind the others, which is cut off.
    summed = d_read.new_zeros(((num_slots + 1) * batch, half))
    flat = _flat(torch.where(slots < 0, num_slots, slots))
    for i in range(slots.shape[-1]):
        summed.index_add_(0, flat[..., i].flatten(), d_read.flatten(0, 1))
    return summed[: num_slots * batch].reshape(first_rows.shape)
