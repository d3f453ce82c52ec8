"""The recurrence on PyTorch: two loops in one `torch.autograd.Function`.

See `keras_cgru.kernels.coref_gru_jax` for the method. PyTorch starts every operation of
every step from Python, so a step has as few as possible, on preallocated memory.
"""

from __future__ import annotations

from typing import Any

import torch

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
    scores = x @ (keys[:, :1] - keys[:, 1:]) - counts.clamp(min=1).log()
    arguments = (x, scores, kernel, recurrent_kernel, bias, h, first_rows)
    links = (counts, rows, next_steps, keep, recurrent_mask)
    # Inside, PyTorch tells which inputs could have a gradient, not whether one is
    # recorded.
    try:
        return _Recurrence.apply(torch.is_grad_enabled(), *arguments, *links)
    except RuntimeError as error:
        if "setup_context" not in str(error):
            raise
        raise no_derivative("transforms of `torch.func`") from error


class _Recurrence(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, is_recorded: bool, *inputs: Any) -> Any:
        save = is_recorded and any(ctx.needs_input_grad)
        states, saved = _forward(inputs[:7], inputs[7:], save)
        if save:
            ctx.save_for_backward(*inputs, *saved)
        return states

    @staticmethod
    def backward(ctx: Any, upstream: Any) -> Any:
        # `once_differentiable` lets pass a gradient whose upstream is constant.
        if torch.is_grad_enabled():
            raise no_derivative("second derivatives (`create_graph=True`)")
        # Looked at once: under a checkpoint, each look computes them anew.
        tensors = ctx.saved_tensors
        inputs, saved = tensors[:12], tensors[12:]
        gradients = _backward(inputs[:7], inputs[7:], saved, upstream)
        return (None, *gradients, None, None, None, None, None)

    @staticmethod
    def jvp(ctx: Any, *tangents: Any) -> Any:
        raise no_derivative("derivatives in forward mode")


def _flat(steps: Any) -> Any:
    """Rows of a `(steps * batch, n)` buffer, from steps `(time, batch, k)`."""
    batch = torch.arange(steps.shape[1], dtype=steps.dtype, device=steps.device)
    return (steps * steps.shape[1] + batch[:, None]).long()


def _flat_steps(steps: Any) -> tuple:
    """Of every step, the rows of each of its k links."""
    return tuple(own.unbind(dim=1) for own in _flat(steps).unbind())


def _columns(values: Any, first: int) -> tuple[tuple, tuple]:
    """Of every step, the first columns and the others.

    Views cost as much as the operations on them, so they are made all at once.
    """
    return values[..., :first].unbind(), values[..., first:].unbind()


def _read(buffer: Any, rows: tuple) -> Any:
    """Sum of the rows of k links, `(batch, n)`."""
    read = buffer.index_select(0, rows[0])
    for others in rows[1:]:
        read += buffer.index_select(0, others)
    return read


def _weights(scores: Any, counts: Any) -> tuple[Any, Any]:
    """`alpha` and `beta`."""
    alpha = torch.where(counts > 0, torch.sigmoid(scores), 1)
    return alpha, (1 - alpha) / counts.clamp(min=1)


def _forward(arguments: Any, links: Any, save: bool) -> tuple[Any, tuple]:
    """All states, and what the gradient needs: the gates, m and U m of every step."""
    x, scores, kernel, recurrent_kernel, bias, h, first_rows = arguments
    counts, rows, _, keep, recurrent_mask = links
    time, batch, _ = x.shape
    units, half = h.shape[-1], h.shape[-1] // 2
    alpha, beta = (weights.unbind() for weights in _weights(scores, counts))
    gates = torch.addmm(bias, x.reshape(time * batch, -1), kernel)
    gates = gates.reshape(time, batch, 3 * units)
    states = _with_memory(x.new_zeros((time, batch, units)), first_rows)
    coreferent = states.flatten(0, 1)[:, half:]
    # Without a gradient, all steps use the same memory.
    steps = time if save else 1
    all_m = x.new_empty((steps, batch, units))
    all_inner = x.new_empty((steps, batch, 3 * units))
    # At every step, this gives its place to the gates that are made of it.
    r_and_z, candidate = _columns(gates, 2 * units)
    r, z = _columns(gates[..., : 2 * units], units)
    m, inner = (values.expand(time, -1, -1) for values in (all_m, all_inner))
    m_1, m_2 = _columns(m, half)
    inner_r_and_z, inner_h = _columns(inner, 2 * units)
    m, inner, kept = m.unbind(), inner.unbind(), None if keep is None else keep.unbind()
    all_h, flat_rows = states.unbind(), _flat_steps(rows)
    for t in range(time):
        torch.mul(h[:, :half], alpha[t], out=m_1[t])
        torch.mul(_read(coreferent, flat_rows[t]), beta[t], out=m_2[t])
        masked = m[t] if recurrent_mask is None else m[t] * recurrent_mask
        torch.mm(masked, recurrent_kernel, out=inner[t])
        r_and_z[t].add_(inner_r_and_z[t]).sigmoid_()
        candidate[t].addcmul_(r[t], inner_h[t]).tanh_()
        if kept is None:
            torch.lerp(m[t], candidate[t], z[t], out=all_h[t])
        else:
            new = torch.lerp(m[t], candidate[t], z[t])
            torch.where(kept[t], new, h, out=all_h[t])
        h = all_h[t]
    return states[:time], (gates, all_m, all_inner)


def _with_memory(states: Any, first_rows: Any) -> Any:
    """The states, and behind them the initial memory in the coreferent half."""
    if first_rows is None:
        return states
    half = states.shape[-1] - first_rows.shape[-1]
    wide = torch.nn.functional.pad(first_rows.to(states.dtype), (half, 0))
    return torch.cat([states, wide])


def _backward(arguments: Any, links: Any, saved: Any, upstream: Any) -> tuple:
    """Gradients of all arguments."""
    x, scores, kernel, _, _, _, first_rows = arguments
    counts, rows, _, _, recurrent_mask = links
    gates, m, inner = saved
    time, _, units = m.shape
    half = units // 2
    alpha, beta = _weights(scores, counts)

    # Everything that does not depend on later steps, for all steps at once.
    r, z, candidate = gates.chunk(3, dim=-1)
    to_h = z * (1 - candidate * candidate)
    to_inner = torch.empty_like(inner)
    to_r, to_z, to_inner_h = to_inner.chunk(3, dim=-1)
    torch.mul(to_h, r, out=to_inner_h)
    torch.mul(to_inner_h, inner[..., 2 * units :], out=to_r).mul_(1 - r)
    torch.sub(candidate, m, out=to_z).mul_(z).mul_(to_m := 1 - z)
    # From here on gradients: of m, of U m, of W x for the candidate.
    d_m, d_inner, d_x_h, d_first_h = _backward_loop(
        upstream, (to_m, to_inner, to_h), alpha, beta, arguments, links
    )

    # To W x + b: as to U m, but for the reset gate, which acts after that product.
    d_gates = d_inner[:, : 2 * units]
    tokens = x.flatten(0, 1)
    d_x = d_gates @ kernel[:, : 2 * units].T
    d_x.addmm_(d_x_h, kernel[:, 2 * units :].T)
    masked = m if recurrent_mask is None else m * recurrent_mask
    d_weighted = d_m * m
    d_sequential = d_weighted[..., :half].sum(-1, keepdim=True)
    d_coreferent = d_weighted[..., half:].sum(-1, keepdim=True)
    d_scores = (1 - alpha) * d_sequential - alpha * d_coreferent
    d_first_rows = None
    if first_rows is not None:
        d_read = beta * d_m[..., half:]
        d_first_rows = _first_rows_gradient(first_rows, rows - time, d_read)
    return (
        d_x.reshape(x.shape),
        torch.where(counts > 0, d_scores, 0),
        torch.cat([tokens.T @ d_gates, tokens.T @ d_x_h], dim=1),
        masked.flatten(0, 1).T @ d_inner,
        torch.cat([d_gates.sum(0), d_x_h.sum(0)]),
        d_first_h,
        d_first_rows,
    )


def _backward_loop(
    upstream: Any, factors: tuple, alpha: Any, beta: Any, arguments: Any, links: Any
) -> tuple[Any, Any, Any, Any]:
    """Gradients of all m, of all U m, of the candidates' W x and of the first state.

    The first three are what the factors become.
    """
    to_m, to_inner, to_h = factors
    _, _, _, recurrent_kernel, _, h, _ = arguments
    _, _, next_steps, keep, recurrent_mask = links
    time, batch, units = upstream.shape
    half = units // 2
    transposed = recurrent_kernel.T.contiguous()
    # What a step hands to its antecedents; nothing yet where there is no successor.
    all_handed = upstream.new_zeros((time * batch, half))
    handed, flat_next = all_handed.split(batch), _flat_steps(next_steps)
    d_before, kept = torch.zeros_like(h), None if keep is None else keep.unbind()
    all_d_h, d_x_h, all_d_m = upstream.unbind(), to_h.unbind(), to_m.unbind()
    d_m_1, d_m_2 = _columns(to_m, half)
    d_inner = to_inner.unbind()
    d_each_gate = to_inner.unflatten(2, (3, units)).unbind()
    alpha, beta = alpha.unbind(), beta.unbind()
    for t in reversed(range(time)):
        d_h = all_d_h[t] + d_before
        d_h[:, half:] += _read(all_handed, flat_next[t])
        passed = None
        if kept is not None:  # padding passes it on
            passed = torch.where(kept[t], 0, d_h)
            d_h.mul_(kept[t])
        d_each_gate[t].mul_(d_h[:, None])
        d_x_h[t].mul_(d_h)
        d_m = all_d_m[t].mul_(d_h)
        if recurrent_mask is None:
            d_m.addmm_(d_inner[t], transposed)
        else:
            d_m.addcmul_(d_inner[t] @ transposed, recurrent_mask)
        torch.mul(d_m_2[t], beta[t], out=handed[t])
        d_before = torch.zeros_like(h) if passed is None else passed
        d_before[:, :half].addcmul_(d_m_1[t], alpha[t])
    return to_m, to_inner.flatten(0, 1), to_h.flatten(0, 1), d_before


def _first_rows_gradient(first_rows: Any, slots: Any, d_read: Any) -> Any:
    """Sums what was read of the initial memory; negative slots are steps."""
    num_slots, batch, half = first_rows.shape
    # Steps land on a row behind the others, which is cut off.
    summed = d_read.new_zeros(((num_slots + 1) * batch, half))
    flat = _flat(torch.where(slots < 0, num_slots, slots))
    for i in range(slots.shape[-1]):
        summed.index_add_(0, flat[..., i].flatten(), d_read.flatten(0, 1))
    return summed[: num_slots * batch].reshape(first_rows.shape)
