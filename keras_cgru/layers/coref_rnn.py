"""The layer around any cell with a coreferent memory."""

from __future__ import annotations

from typing import Any

import keras
from keras import ops

from keras_cgru.layers.coref_cell import CorefCell
from keras_cgru.layers.fast_recurrence import fast_recurrence
from keras_cgru.layers.pack_clusters import as_rank_three, pack
from keras_cgru.layers.validation import (
    check_arguments,
    check_clusters,
    check_clusters_shape,
    check_features_shape,
    check_ids_per_token,
    check_inputs,
    check_time,
)


class CellAttribute:
    """What a layer shows of its cell, as `keras.layers.GRU` does."""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, layer: Any, owner: type | None = None) -> Any:
        return self if layer is None else getattr(layer.cell, self.name)


@keras.saving.register_keras_serializable(package="keras_cgru")
class CorefRNN(keras.layers.RNN):
    """Reads a sequence and its cluster ids with a cell that has a coreferent memory.

    As `keras.layers.RNN`, but called as `layer([x, clusters])`, in `Bidirectional`
    too, and computed by a kernel where the cell has one. See
    `keras_cgru.layers.CorefGRU`, which is this layer around a `CorefGRUCell`.

    Args:
        cell: A `keras_cgru.layers.CorefCell`. Give it `autocast=False` if it has more
            clusters than half precision counts; the layer casts the features only.
        return_sequences, return_state, go_backwards, stateful, unroll,
        zero_output_for_mask, activity_regularizer, name, trainable: As in
            `keras.layers.RNN`.
        use_kernel: `"auto"` takes the cell's kernel where the backend has one and the
            settings allow it (no `unroll`), else stock `RNN` over the cell; True
            insists on the kernel; False never takes it.
        dtype: The cell's where it is not given.

    Call arguments:
        sequences: `[x, clusters]`, `[x, reads, writes]`, or `x`: see
            `keras_cgru.layers.CorefGRU`.
        initial_state: The cell's states, as `return_state` gives them.
        mask: `(batch, time)`, False at padding. Padding carries no link.
        training: Whether dropout is applied.
        sequences_mask: Keras's own way to hand on the mask that `x` carries where
            there is an `initial_state`; counts if `mask` is not given.

    Output shape, Masking: As `keras_cgru.layers.CorefGRU`.
    """

    units = CellAttribute()
    num_clusters = CellAttribute()
    activation = CellAttribute()
    use_bias = CellAttribute()
    kernel_initializer = CellAttribute()
    recurrent_initializer = CellAttribute()
    bias_initializer = CellAttribute()
    keys_initializer = CellAttribute()
    kernel_regularizer = CellAttribute()
    recurrent_regularizer = CellAttribute()
    bias_regularizer = CellAttribute()
    keys_regularizer = CellAttribute()
    kernel_constraint = CellAttribute()
    recurrent_constraint = CellAttribute()
    bias_constraint = CellAttribute()
    keys_constraint = CellAttribute()
    dropout = CellAttribute()
    recurrent_dropout = CellAttribute()
    seed = CellAttribute()
    clusters_per_token = CellAttribute()
    separate_writes = CellAttribute()

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        check_arguments(cls.__name__, kwargs)
        return super().__new__(cls, *args, **kwargs)

    def __init__(
        self,
        cell: CorefCell,
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
    ) -> None:
        if not isinstance(cell, CorefCell):
            raise ValueError(
                "`cell` must be a `keras_cgru.layers.CorefCell`. "
                f"Received: cell={cell!r}"
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
            dtype=cell.dtype_policy if dtype is None else dtype,
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
        kernel = None if self.unroll else self.cell.find_kernel()
        if kernel is None and self.use_kernel is True:
            wanted = self.cell.kernel_settings
            needs = [f"{name}={value.__name__!r}" for name, value in wanted.items()]
            has = [f"{name}={getattr(self.cell, name)}" for name in wanted]
            raise ValueError(
                f"`use_kernel=True` needs {', '.join([*needs, 'unroll=False'])} and a "
                f"backend that {type(self.cell).__name__} has a kernel for. Received: "
                f"{', '.join([*has, f'unroll={self.unroll}'])}, "
                f"backend={keras.backend.backend()}"
            )
        return kernel

    def build(self, sequences_shape: Any, initial_state_shape: Any = None) -> None:
        batch, time, input_dim = _features_shape(sequences_shape)
        check_time(time, self.unroll)
        self._fit_cell_to(sequences_shape)
        super().build((batch, time, input_dim + self.cell.num_id_channels))
        for state in getattr(self, "states", None) or []:
            # Else PyTorch assigns to a copy of it under a mixed policy.
            state._autocast = False

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
        sequences_mask: Any = None,
    ) -> Any:
        x, clusters, writes = self._split_inputs(sequences)
        check_time(_features_shape(tuple(x.shape))[1], self.unroll)
        if clusters is None:
            shape = (*ops.shape(x)[:2], self.cell.clusters_per_token)
            clusters = ops.zeros(shape, dtype="int32")
        self._check_as_built(clusters, writes)
        if self.go_backwards and writes is not None:
            clusters, writes = writes, clusters
        mask = _first(sequences_mask if mask is None else mask)
        takes_kernel = self._takes_kernel(x)
        if not takes_kernel or initial_state is not None or self.stateful:
            return super().call(
                pack(x, clusters, writes),
                initial_state=initial_state,
                mask=mask,
                training=training,
            )
        # Nothing to start from: the kernel needs no rows for an initial memory.
        check_clusters(tuple(x.shape), clusters)
        last, outputs, states = self._run_kernel(
            x, as_rank_three(clusters), None, mask, training, self.return_state
        )
        self.cell.reset_dropout_mask()
        self.cell.reset_recurrent_dropout_mask()
        output = outputs if self.return_sequences else last
        return (output, *states) if self.return_state else output

    def inner_loop(
        self, sequences: Any, initial_state: Any, mask: Any, training: bool = False
    ) -> tuple[Any, Any, Any]:
        # A stateful layer's are still of their variables' type, on TensorFlow.
        initial_state = [
            ops.cast(state, self.cell.compute_dtype) for state in initial_state
        ]
        if not self._takes_kernel(sequences):
            return super().inner_loop(sequences, initial_state, mask, training)
        if self.stateful:  # on PyTorch, else overwritten before the backward pass
            initial_state = [ops.copy(state) for state in initial_state]
        num_ids = self.cell.num_id_channels
        x, clusters = sequences[:, :, :-num_ids], sequences[:, :, -num_ids:]
        return self._run_kernel(x, clusters, initial_state, mask, training)

    @property
    def variables(self) -> list[keras.Variable]:
        """The weights, random seeds, and the states of a stateful layer.

        Stock `RNN` leaves the states out, so that on JAX `fit` and `predict` lose them.
        """
        return [*super().variables, *(getattr(self, "states", None) or [])]

    def _takes_kernel(self, sequences: Any) -> bool:
        """No kernel has a form for a batch without rows."""
        return (
            self._kernel is not None
            and not self.cell.separate_writes
            and sequences.shape[0] != 0
        )

    def _run_kernel(
        self,
        x: Any,
        clusters: Any,
        initial_state: Any,
        mask: Any,
        training: bool,
        return_memory: bool = True,
    ) -> tuple[Any, Any, Any]:
        """Last output, outputs `(batch, time, units)` and the cell's states."""
        all_h, states = fast_recurrence(
            self._kernel,
            self.cell,
            ops.cast(x, self.cell.compute_dtype),
            clusters,
            mask,
            initial_state,
            self.go_backwards,
            training,
            return_memory,
        )
        outputs = ops.transpose(all_h, (1, 0, 2))
        if mask is not None and self.zero_output_for_mask:
            read = ops.flip(mask, axis=1) if self.go_backwards else mask
            keep = ops.expand_dims(ops.cast(read, "bool"), axis=-1)
            outputs = ops.where(keep, outputs, ops.zeros_like(outputs))
        # As in stock `RNN`, where a masked last step may have zeros as its output.
        return outputs[:, -1], outputs, states

    def _split_inputs(self, sequences: Any) -> tuple[Any, Any, Any]:
        """`x`, the clusters read, and those written where they differ (or None)."""
        if not isinstance(sequences, (list, tuple)):
            return sequences, None, None
        check_inputs(type(self).__name__, sequences)
        return (*sequences, None)[:3]

    def compute_output_shape(
        self, sequences_shape: Any, initial_state_shape: Any = None
    ) -> Any:
        return super().compute_output_shape(_features_shape(sequences_shape))

    def compute_mask(self, inputs: Any, mask: Any) -> Any:
        return super().compute_mask(inputs, _first(mask))

    def get_config(self) -> dict[str, Any]:
        regularizer = keras.regularizers.serialize(self.activity_regularizer)
        return {
            **super().get_config(),
            "use_kernel": self.use_kernel,
            "activity_regularizer": regularizer,
        }


def _features_shape(sequences_shape: Any) -> tuple:
    """Shape of `x`, from the shape of `x` or the shapes of `[x, clusters]`."""
    is_list = any(isinstance(part, (list, tuple)) for part in sequences_shape)
    shape = sequences_shape[0] if is_list else sequences_shape
    check_features_shape(shape)
    return tuple(shape)


def _first(mask: Any) -> Any:
    """The features' mask; the cluster ids' own, if any, adds nothing."""
    return mask[0] if isinstance(mask, (list, tuple)) else mask
