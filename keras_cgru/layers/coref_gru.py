"""The Coref-GRU layer."""

from __future__ import annotations

from typing import Any

import keras
from keras import ops

from keras_cgru.kernels import find_kernel
from keras_cgru.layers.coref_gru_cell import CorefGRUCell
from keras_cgru.layers.fast_recurrence import fast_recurrence, kernel_fits
from keras_cgru.layers.pack_clusters import as_rank_three, pack_clusters
from keras_cgru.layers.validation import (
    check_clusters,
    check_clusters_shape,
    check_features_shape,
    check_ids_per_token,
    check_inputs,
    check_time,
)

# What the layer shows of its cell, as `keras.layers.GRU` does.
CELL_ATTRIBUTES = (
    "units",
    "num_clusters",
    "activation",
    "recurrent_activation",
    "use_bias",
    "kernel_initializer",
    "recurrent_initializer",
    "bias_initializer",
    "keys_initializer",
    "kernel_regularizer",
    "recurrent_regularizer",
    "bias_regularizer",
    "keys_regularizer",
    "kernel_constraint",
    "recurrent_constraint",
    "bias_constraint",
    "keys_constraint",
    "dropout",
    "recurrent_dropout",
    "seed",
    "clusters_per_token",
    "separate_writes",
)


@keras.saving.register_keras_serializable(package="keras_cgru")
class CorefGRU(keras.layers.RNN):
    """Coref-GRU: a GRU biased towards the last token of the same entity.

    Computes `keras_cgru.layers.CorefGRUCell`'s equations over a sequence, with the
    cluster ids as a second input. Half of what a token sees of the past is the state
    before it, half the state at its coreferent antecedent, weighted by `alpha`.

    A cluster id has no direction, so the same array serves both directions of
    `keras.layers.Bidirectional`: in the order in which the layer reads, the first
    token of a cluster has no antecedent, the second links to the first, and so on.

    Args:
        units: Positive even integer, size of the state.
        num_clusters: Positive integer. Cluster ids outside `1..num_clusters` mean
            "no link". Bounds the size of the returned `memory`.
        return_sequences, return_state, go_backwards, stateful, unroll,
        zero_output_for_mask: As in `keras.layers.GRU`.
        use_kernel: `"auto"` takes the backend's own kernel where there is one and the
            layer's settings allow it (tanh and sigmoid, no `unroll`), else stock
            `RNN` over the cell; True insists on the kernel; False never takes it.
        **kwargs: Every argument of `CorefGRUCell` (activations, initializers,
            regularizers, constraints, dropout, `use_bias`, `seed`), and
            `activity_regularizer`, `dtype`, `name`, `trainable`.

    Call arguments:
        sequences: `[x, clusters]`: `(batch, time, input_dim)` token features and
            `(batch, time)` integer cluster ids, or `(batch, time, k)` where a token
            is in several clusters. `[x, reads, writes]` where a token reads other
            clusters than those whose latest token it becomes (see `CorefGRUCell`; no
            kernel does this). With `go_backwards` the two change their parts, as the
            first and the last token of a mention do, so that `Bidirectional` takes
            them as they are. A tensor alone, or `[x, None]`, is read without
            coreference.
        initial_state: `[h, memory]` as `return_state` gives them, so a document's
            final memory can start the pass over its question.
        mask: `(batch, time)`, False at padding. Padding carries no link.
        training: Whether dropout is applied.

    Output shape:
        `(batch, units)`, or `(batch, time, units)` with `return_sequences`; with
        `return_state` followed by `h` `(batch, units)` and `memory`
        `(batch, num_clusters * (units // 2 + 1))`.

    Masking:
        A masked step leaves `h` and `memory` as they were and repeats the output
        (zeros with `zero_output_for_mask`, which `Bidirectional` sets).

    Example:

    >>> x = np.random.random((2, 5, 8)).astype("float32")
    >>> clusters = np.array([[1, 0, 2, 1, 0], [0, 1, 1, 0, 0]])
    >>> keras.layers.Bidirectional(CorefGRU(64))([x, clusters]).shape
    (2, 128)

    Reference:
        [Neural Models for Reasoning over Multiple Mentions using Coreference](
        https://aclanthology.org/N18-2007/).
    """

    def __init__(
        self,
        units: int,
        num_clusters: int = 50,
        *,
        return_sequences: bool = False,
        return_state: bool = False,
        go_backwards: bool = False,
        stateful: bool = False,
        unroll: bool = False,
        zero_output_for_mask: bool = False,
        use_kernel: bool | str = "auto",
        activity_regularizer: Any = None,
        name: str | None = None,
        trainable: bool = True,
        dtype: Any = None,
        **kwargs: Any,
    ) -> None:
        cell = CorefGRUCell(
            units,
            num_clusters,
            name="coref_gru_cell",
            dtype=dtype,
            trainable=trainable,
            autocast=False,  # the ids stay exact, the cell casts the features
            **kwargs,
        )
        super().__init__(
            cell,
            return_sequences=return_sequences,
            return_state=return_state,
            go_backwards=go_backwards,
            stateful=stateful,
            unroll=unroll,
            zero_output_for_mask=zero_output_for_mask,
            activity_regularizer=activity_regularizer,
            name=name,
            trainable=trainable,
            dtype=dtype,
        )
        self.use_kernel = use_kernel
        self._kernel = self._choose_kernel()

    def _choose_kernel(self) -> Any:
        if not (isinstance(self.use_kernel, bool) or self.use_kernel == "auto"):
            raise ValueError(
                "`use_kernel` must be 'auto', True or False. "
                f"Received: use_kernel={self.use_kernel!r}"
            )
        if self.use_kernel is False:
            return None
        kernel = find_kernel() if kernel_fits(self.cell, self.unroll) else None
        if kernel is None and self.use_kernel is True:
            raise ValueError(
                "`use_kernel=True` needs activation='tanh', "
                "recurrent_activation='sigmoid', unroll=False and a backend that has "
                f"a kernel. Received: activation={self.activation}, "
                f"recurrent_activation={self.recurrent_activation}, "
                f"unroll={self.unroll}, backend={keras.backend.backend()}"
            )
        return kernel

    def build(self, sequences_shape: Any, initial_state_shape: Any = None) -> None:
        batch, time, input_dim = _features_shape(sequences_shape)
        check_time(time, self.unroll)
        self._fit_cell_to(sequences_shape)
        super().build((batch, time, input_dim + self.cell.num_id_channels))

    def _fit_cell_to(self, sequences_shape: Any) -> None:
        """How many ids a token has, the inputs say."""
        if not isinstance(sequences_shape[0], (list, tuple)):
            return
        ids_shapes = [shape for shape in sequences_shape[1:] if shape is not None]
        for shape, name in zip(ids_shapes, ("clusters", "writes"), strict=False):
            check_clusters_shape(tuple(sequences_shape[0]), tuple(shape), name)
        if ids_shapes:
            self.cell.clusters_per_token = (*ids_shapes[0], 1)[2]
        self.cell.separate_writes = len(ids_shapes) == 2
        if self.cell.separate_writes and self.use_kernel is True:
            raise ValueError(
                "`use_kernel` must be 'auto' or False for a layer that is called as "
                "`layer([x, reads, writes])`. Received: use_kernel=True"
            )

    def _check_as_built(self, clusters: Any, writes: Any) -> None:
        check_ids_per_token(clusters.shape, self.cell.clusters_per_token)
        if writes is not None:
            check_ids_per_token(writes.shape, self.cell.clusters_per_token, "writes")
        if (writes is not None) != self.cell.separate_writes:
            raise ValueError(
                "`writes` must be given whenever the layer is called, or never: it was "
                f"built with separate_writes={self.cell.separate_writes}. Received: "
                f"{'writes' if writes is not None else 'no writes'}"
            )

    def call(
        self,
        sequences: Any,
        initial_state: Any = None,
        mask: Any = None,
        training: bool = False,
    ) -> Any:
        x, clusters, writes = _split_inputs(sequences)
        check_time(_features_shape(tuple(x.shape))[1], self.unroll)
        if clusters is None:
            shape = (*ops.shape(x)[:2], self.cell.clusters_per_token)
            clusters = ops.zeros(shape, dtype="int32")
        self._check_as_built(clusters, writes)
        if self.go_backwards and writes is not None:
            clusters, writes = writes, clusters
        mask = _first(mask)
        if not self._takes_kernel or initial_state is not None or self.stateful:
            return super().call(
                pack_clusters(x, clusters, writes),
                initial_state=initial_state,
                mask=mask,
                training=training,
            )
        # Nothing to start from: the kernel needs no rows for an initial memory.
        check_clusters(tuple(x.shape), clusters)
        clusters = as_rank_three(clusters)
        x = ops.cast(x, self.compute_dtype)
        last, outputs, states = self._run_kernel(
            x, clusters, None, mask, training, return_memory=self.return_state
        )
        self.cell.reset_dropout_mask()
        self.cell.reset_recurrent_dropout_mask()
        output = outputs if self.return_sequences else last
        return (output, *states) if self.return_state else output

    def inner_loop(
        self, sequences: Any, initial_state: Any, mask: Any, training: bool = False
    ) -> tuple[Any, Any, Any]:
        if not self._takes_kernel:
            return super().inner_loop(sequences, initial_state, mask, training)
        if self.stateful:  # on PyTorch, else overwritten before the backward pass
            initial_state = [ops.copy(state) for state in initial_state]
        num_ids = self.cell.num_id_channels
        x = ops.cast(sequences[:, :, :-num_ids], self.compute_dtype)
        clusters = sequences[:, :, -num_ids:]
        return self._run_kernel(x, clusters, initial_state, mask, training)

    @property
    def variables(self) -> list[keras.Variable]:
        """The weights, random seeds, and the states of a stateful layer.

        Stock `RNN` leaves the states out, so that on JAX `fit` and `predict` lose them.
        """
        return [*super().variables, *(getattr(self, "states", None) or [])]

    @property
    def _takes_kernel(self) -> bool:
        return self._kernel is not None and not self.cell.separate_writes

    def _run_kernel(
        self,
        x: Any,
        clusters: Any,
        initial_state: Any,
        mask: Any,
        training: bool,
        return_memory: bool = True,
    ) -> tuple[Any, Any, Any]:
        """Last output, outputs `(batch, time, units)` and `[h, memory]`."""
        states, h, memory = fast_recurrence(
            self._kernel,
            self.cell,
            x,
            clusters,
            mask,
            initial_state,
            self.go_backwards,
            training,
            return_memory,
        )
        outputs = ops.transpose(states, (1, 0, 2))
        if mask is not None and self.zero_output_for_mask:
            read = ops.flip(mask, axis=1) if self.go_backwards else mask
            keep = ops.expand_dims(ops.cast(read, "bool"), axis=-1)
            outputs = ops.where(keep, outputs, ops.zeros_like(outputs))
        # As in stock `RNN`, where a masked last step may have zeros as its output.
        return outputs[:, -1], outputs, [h, memory]

    def compute_output_shape(
        self, sequences_shape: Any, initial_state_shape: Any = None
    ) -> Any:
        return super().compute_output_shape(_features_shape(sequences_shape))

    def compute_mask(self, inputs: Any, mask: Any) -> Any:
        return super().compute_mask(inputs, _first(mask))

    def get_config(self) -> dict[str, Any]:
        config = super().get_config()
        del config["cell"]
        cell = self.cell.get_config()
        regularizer = keras.regularizers.serialize(self.activity_regularizer)
        return {
            **{name: cell[name] for name in CELL_ATTRIBUTES},
            **config,
            "use_kernel": self.use_kernel,
            "activity_regularizer": regularizer,
        }

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> CorefGRU:
        return cls(**config)


def _expose(name: str) -> property:
    return property(lambda self: getattr(self.cell, name))


for _name in CELL_ATTRIBUTES:
    setattr(CorefGRU, _name, _expose(_name))


def _split_inputs(sequences: Any) -> tuple[Any, Any, Any]:
    """`x`, the clusters read, and those written where they differ (or None)."""
    if not isinstance(sequences, (list, tuple)):
        return sequences, None, None
    check_inputs(sequences)
    return (*sequences, None)[:3]


def _features_shape(sequences_shape: Any) -> tuple:
    """Shape of `x`, from the shape of `x` or the shapes of `[x, clusters]`."""
    is_list = any(isinstance(part, (list, tuple)) for part in sequences_shape)
    shape = sequences_shape[0] if is_list else sequences_shape
    check_features_shape(shape)
    return tuple(shape)


def _first(mask: Any) -> Any:
    """The features' mask; the cluster ids' own, if any, adds nothing."""
    return mask[0] if isinstance(mask, (list, tuple)) else mask
