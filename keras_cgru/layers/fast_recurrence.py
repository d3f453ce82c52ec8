"""A cell's pass over a sequence by its kernel."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from keras import ops

from keras_cgru.kernels.links import last_positions, neighbours
from keras_cgru.layers.cluster_memory import clean_ids
from keras_cgru.layers.coref_cell import CorefCell


def fast_recurrence(
    kernel: Callable[..., Any],
    cell: CorefCell,
    x: Any,
    clusters: Any,
    mask: Any,
    initial_state: Any,
    go_backwards: bool,
    training: bool,
    return_memory: bool,
) -> tuple[Any, list]:
    """Reads a sequence with a kernel.

    Args:
        kernel: See `keras_cgru.kernels.find_kernel`.
        cell: The built cell, whose weights and dropout masks are used.
        x: `(batch, time, input_dim)` in the cell's compute dtype.
        clusters: `(batch, time, k)`.
        mask: `(batch, time)` or None.
        initial_state: The cell's states, or None for zeros.
        go_backwards: Whether the sequence is read from its end.
        training: Whether dropout is applied.
        return_memory: Whether the final memory is wanted.

    Returns:
        States `(time, batch, units)` in the order of reading, and the final states of
        the cell: `h` `(batch, units)`, the memory (or None), what else it carries.
    """
    clusters = _clean(clusters, mask, cell.num_clusters)
    h, memory, *carried = initial_state or _zeros(cell, x)
    slots = None if memory is None else _slots(memory, cell)

    if training and cell.dropout > 0:
        x = x * ops.expand_dims(_feature_dropout(cell, x), axis=1)
    recurrent_mask = None
    if training and cell.recurrent_dropout > 0:
        recurrent_mask = ops.cast(cell.get_recurrent_dropout_mask(h), x.dtype)

    previous, following = _read_neighbours(clusters, cell.num_clusters, go_backwards)
    if go_backwards:
        x, clusters = ops.flip(x, axis=1), ops.flip(clusters, axis=1)
        mask = None if mask is None else ops.flip(mask, axis=1)
    rows, linked = _rows(previous, clusters, slots)
    counts = ops.sum(ops.cast(linked, x.dtype), axis=-1, keepdims=True)

    x = _time_major(x)
    # A cell that carries nothing else has a kernel that knows of nothing else.
    others = {"carried": carried} if carried else {}
    states = kernel(
        x=x,
        counts=_time_major(counts),
        rows=_time_major(rows),
        next_steps=_time_major(_or_own_step(following)),
        keep=None if mask is None else _steps(ops.cast(mask, "bool")),
        keys=ops.cast(cell.keys, x.dtype),
        kernel=ops.cast(cell.kernel, x.dtype),
        recurrent_kernel=ops.cast(cell.recurrent_kernel, x.dtype),
        bias=_bias(cell, x.dtype),
        recurrent_mask=recurrent_mask,
        h=h,
        first_rows=None if slots is None else _time_major(slots[:, :, :-1]),
        **others,
    )
    if carried:
        states, carried = states
    if return_memory:
        memory = _final_memory(states, clusters, slots, cell)
    return states, [states[-1], memory, *carried]


def _zeros(cell: CorefCell, x: Any) -> list:
    """The states to start from; of the memory, that there is none."""
    sizes = [cell.units, *cell.carried_sizes]
    h, *carried = (ops.zeros((ops.shape(x)[0], size), dtype=x.dtype) for size in sizes)
    return [h, None, *carried]


def _clean(clusters: Any, mask: Any, num_clusters: int) -> Any:
    """int32 ids, 0 for what carries no link: padding, ids out of range, repetitions."""
    clusters = clean_ids(clusters, num_clusters)
    if mask is None:
        return clusters
    return ops.where(ops.cast(ops.expand_dims(mask, -1), "bool"), clusters, 0)


def _feature_dropout(cell: CorefCell, x: Any) -> Any:
    """The mask `(batch, input_dim)` that stock `RNN` would draw for packed input."""
    packed = ops.pad(x[:, 0, :], ((0, 0), (0, cell.num_id_channels)))
    mask = cell.get_dropout_mask(packed)[:, : -cell.num_id_channels]
    # `RNN` may have drawn it for a wider type.
    return ops.cast(mask, x.dtype)


def _read_neighbours(
    clusters: Any, num_clusters: int, go_backwards: bool
) -> tuple[Any, Any]:
    """Steps, in the order of reading, of each token's antecedent and successor.

    Both directions start from the same ids, so that one compiled program sorts once.
    """
    previous, following = neighbours(clusters, num_clusters)
    if not go_backwards:
        return previous, following
    last = ops.shape(clusters)[1] - 1

    def mirrored(positions: Any) -> Any:
        return ops.flip(ops.where(positions < 0, -1, last - positions), axis=1)

    return mirrored(following), mirrored(previous)


def _slots(memory: Any, cell: CorefCell) -> Any:
    """`(batch, num_clusters, units // 2 + 1)` of a flat memory."""
    return ops.reshape(memory, (-1, cell.num_clusters, cell.units // 2 + 1))


def _rows(previous: Any, clusters: Any, slots: Any) -> tuple[Any, Any]:
    """Steps of the antecedents, as kernels take them, and which there are."""
    if slots is None:
        return _or_own_step(previous), previous >= 0
    batch, time, k = ops.shape(clusters)
    met = ops.pad(slots[:, :, -1] > 0, ((0, 0), (1, 0)))
    from_memory = ops.take_along_axis(
        met, ops.reshape(clusters, (batch, time * k)), axis=1
    )
    from_memory = ops.reshape(from_memory, (batch, time, k))
    # Slots that were never met hold zeros; they are read as the cell reads them.
    in_memory = ops.logical_and(previous < 0, clusters > 0)
    rows = ops.where(in_memory, time + clusters - 1, _or_own_step(previous))
    return rows, ops.logical_or(previous >= 0, from_memory)


def _or_own_step(positions: Any) -> Any:
    """`(batch, time, k)`: a token's own step in place of -1."""
    own = ops.reshape(ops.arange(ops.shape(positions)[1], dtype="int32"), (1, -1, 1))
    return ops.where(positions < 0, own, positions)


def _bias(cell: CorefCell, dtype: str) -> Any:
    if cell.bias is None:
        return ops.zeros((cell.num_gates * cell.units,), dtype=dtype)
    return ops.cast(cell.bias, dtype)


def _final_memory(states: Any, clusters: Any, slots: Any, cell: CorefCell) -> Any:
    half = cell.units // 2
    last = ops.expand_dims(last_positions(clusters, cell.num_clusters), axis=-1)
    written = ops.transpose(states[:, :, half:], (1, 0, 2))
    values = ops.take_along_axis(written, ops.maximum(last, 0), axis=1)
    values = ops.concatenate([values, ops.ones_like(values[..., :1])], axis=-1)
    before = ops.zeros_like(values) if slots is None else slots
    return ops.reshape(
        ops.where(last >= 0, values, before),
        (-1, cell.num_clusters * (half + 1)),
    )


def _time_major(values: Any) -> Any:
    return ops.transpose(values, (1, 0, 2))


def _steps(values: Any) -> Any:
    """`(batch, time)` as `(time, batch, 1)`."""
    return ops.expand_dims(ops.transpose(values), axis=-1)
