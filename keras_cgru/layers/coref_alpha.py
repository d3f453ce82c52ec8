"""How much of each token's past is what was read last, and how much the antecedent."""

from __future__ import annotations

from typing import Any, NamedTuple

import keras
from keras import ops

from keras_cgru.kernels.links import last_positions, neighbours
from keras_cgru.layers.cluster_memory import clean_ids
from keras_cgru.layers.coref_cell import CorefCell
from keras_cgru.layers.coref_rnn import CorefRNN
from keras_cgru.layers.masked_softmax import wide_dtype
from keras_cgru.layers.pack_clusters import as_rank_three
from keras_cgru.layers.validation import (
    check_clusters,
    check_features_shape,
    check_ids_per_token,
    check_inputs,
)


class Alpha(NamedTuple):
    """Tensors `(batch, time)`, in the order of the text whatever the direction."""

    alpha: Any
    """Weight of the sequential state, in (0, 1); the antecedents' is 1 - alpha. It is
    1 where a token has no antecedent, and at padding. float32 or wider."""
    linked: Any
    """Whether the token has an antecedent, so that alpha is a choice of the layer."""


def coref_alpha(
    layer: keras.layers.Layer,
    sequences: Any,
    initial_state: Any = None,
    mask: Any = None,
) -> Any:
    """Computes alpha for what a layer reads, as it does without dropout.

    Alpha depends on a token's features and on whether it has an antecedent, not on the
    states: so it is computed beside the recurrence, for all tokens at once, and costs
    nothing where nobody asks.

    Args:
        layer: A built `CorefGRU` or other `CorefRNN`, a `keras.layers.RNN` around
            one of our cells, or `keras.layers.Bidirectional` around any of them.
        sequences: What the layer is called with: `[x, clusters]`, `[x, reads, writes]`,
            or for `RNN` the tensor of `pack_clusters`.
        initial_state: What the layer is called with, if anything: a token whose
            cluster the memory knows has an antecedent in it. A stateful layer's own
            states where it is left out.
        mask: `(batch, time)`, False at padding; the features' own Keras mask where it
            is left out.

    Returns:
        An `Alpha`; for `Bidirectional` a pair of them, forward and backward.

    Raises:
        ValueError: The layer has no coreferent memory, is not built, or is not called
            like this.

    Example:

    >>> layer = CorefGRU(64)
    >>> output = layer([x, clusters])
    >>> alpha, linked = coref_alpha(layer, [x, clusters])

    Reference:
        Equation 4 of [Neural Models for Reasoning over Multiple Mentions using
        Coreference](https://aclanthology.org/N18-2007/).
    """
    if isinstance(layer, keras.layers.Bidirectional):
        directions = (layer.forward_layer, layer.backward_layer)
        states = [None, None]
        if initial_state is not None:
            half = len(initial_state) // 2
            states = [initial_state[:half], initial_state[half:]]
        return tuple(
            coref_alpha(direction, sequences, state, mask)
            for direction, state in zip(directions, states, strict=True)
        )
    cell = getattr(layer, "cell", None)
    if not isinstance(cell, CorefCell):
        raise ValueError(
            "`layer` must be a `CorefGRU`, another layer around a `CorefCell`, or "
            f"`Bidirectional` around one. Received: {layer!r}"
        )
    if not layer.built:
        raise ValueError(f"`layer` must be built. Received: {layer!r}, not yet called")
    if mask is None:
        first = sequences[0] if isinstance(sequences, (list, tuple)) else sequences
        mask = getattr(first, "_keras_mask", None)
    if initial_state is None and layer.stateful:
        initial_state = layer.states
    x, reads, writes = _split(layer, cell, sequences)
    reads, found = _antecedents(cell, reads, writes, mask, layer.go_backwards)
    if initial_state is not None:
        found = ops.logical_or(found, _in_memory(cell, reads, initial_state[1]))
    count = ops.sum(ops.cast(found, cell.compute_dtype), axis=-1, keepdims=True)
    alpha, _ = cell.weigh(ops.cast(x, cell.compute_dtype), count)
    alpha = ops.cast(ops.squeeze(alpha, -1), wide_dtype(alpha))
    return Alpha(alpha, ops.any(found, axis=-1))


def _antecedents(
    cell: CorefCell, reads: Any, writes: Any, mask: Any, backwards: bool
) -> Any:
    """The ids read, `(batch, time, k)`, and which of them were written before."""
    if backwards and writes is not None:
        reads, writes = writes, reads
    reads = _clean(cell, reads, mask)
    if writes is None:
        earlier, later = neighbours(reads, cell.num_clusters)
        return reads, (later if backwards else earlier) >= 0
    writes = _clean(cell, writes, mask)
    if backwards:
        reads, writes = ops.flip(reads, axis=1), ops.flip(writes, axis=1)
    found = _written_before(cell, reads, writes)
    if backwards:
        reads, found = ops.flip(reads, axis=1), ops.flip(found, axis=1)
    return reads, found


def _written_before(cell: CorefCell, reads: Any, writes: Any) -> Any:
    """Which of the ids `(batch, time, k)` were written at an earlier step."""
    time = ops.shape(reads)[1]
    # Where each cluster is written first; `time` where it never is.
    first = time - 1 - last_positions(ops.flip(writes, axis=1), cell.num_clusters)
    steps = ops.reshape(ops.arange(time, dtype="int32"), (1, -1, 1))
    return ops.logical_and(_of_ids(first, reads) < steps, reads > 0)


def _in_memory(cell: CorefCell, ids: Any, memory: Any) -> Any:
    """Which of the ids `(batch, time, k)` the memory has a state of."""
    memory = ops.convert_to_tensor(memory)
    flags = ops.reshape(memory, (-1, cell.num_clusters, cell.units // 2 + 1))[:, :, -1]
    return ops.logical_and(_of_ids(flags, ids) > 0, ids > 0)


def _of_ids(values: Any, ids: Any) -> Any:
    """`(batch, time, k)` of the clusters' values `(batch, num_clusters)`; any for 0."""
    batch, time, k = ops.shape(ids)
    rows = ops.reshape(ops.maximum(ids - 1, 0), (batch, time * k))
    return ops.reshape(ops.take_along_axis(values, rows, axis=1), (batch, time, k))


def _clean(cell: CorefCell, ids: Any, mask: Any) -> Any:
    ids = clean_ids(as_rank_three(ids), cell.num_clusters)
    if mask is None:
        return ids
    return ops.where(ops.expand_dims(ops.cast(mask, "bool"), -1), ids, 0)


def _split(layer: Any, cell: CorefCell, sequences: Any) -> tuple[Any, Any, Any]:
    """The features, the ids that are read, and those written where they differ."""
    if isinstance(layer, CorefRNN):
        if not isinstance(sequences, (list, tuple)):
            sequences = [sequences, None]
        check_inputs(type(layer).__name__, sequences)
        x: Any = ops.convert_to_tensor(sequences[0])
        reads, writes = (
            None if ids is None else ops.convert_to_tensor(ids)
            for ids in (*sequences[1:], None)[:2]
        )
        check_features_shape(tuple(x.shape))
        if reads is None:
            return x, ops.zeros((*ops.shape(x)[:2], 1), "int32"), None
        for ids, name in ((reads, "clusters"), (writes, "writes")):
            if ids is not None:
                check_clusters(tuple(x.shape), ids, name)
                check_ids_per_token(ids.shape, cell.clusters_per_token, name)
        if (writes is not None) != cell.separate_writes:
            raise ValueError(
                "`writes` must be given just where the layer was built with them. "
                f"Received: {len(sequences)} inputs for a layer built with "
                f"separate_writes={cell.separate_writes}"
            )
        return x, reads, writes
    if isinstance(sequences, (list, tuple)):
        raise ValueError(
            "`sequences` must be one tensor for a stock `keras.layers.RNN`, that of "
            "`keras_cgru.layers.pack_clusters`. Received: a list of "
            f"{len(sequences)} inputs"
        )
    packed, k = ops.convert_to_tensor(sequences), cell.clusters_per_token
    num_ids = cell.num_id_channels
    x, ids = packed[:, :, :-num_ids], packed[:, :, -num_ids:]
    return x, ids[:, :, :k], ids[:, :, k:] if cell.separate_writes else None
