"""The Coref-GRU layer."""

from __future__ import annotations

from typing import Any

import keras

from keras_cgru.layers.coref_gru_cell import CorefGRUCell
from keras_cgru.layers.coref_rnn import CellAttribute, CorefRNN


@keras.saving.register_keras_serializable(package="keras_cgru")
class CorefGRU(CorefRNN):
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
        activation, recurrent_activation, use_bias, initializers, regularizers,
        constraints, dropout, recurrent_dropout, seed, clusters_per_token,
        separate_writes: See `CorefGRUCell`. The inputs of the first call decide about
            the last two.

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

    recurrent_activation = CellAttribute()

    def __init__(
        self,
        units: int,
        num_clusters: int = 50,
        *,
        activation: Any = "tanh",
        recurrent_activation: Any = "sigmoid",
        use_bias: bool = True,
        kernel_initializer: Any = "glorot_uniform",
        recurrent_initializer: Any = "orthogonal",
        bias_initializer: Any = "zeros",
        keys_initializer: Any = "glorot_uniform",
        kernel_regularizer: Any = None,
        recurrent_regularizer: Any = None,
        bias_regularizer: Any = None,
        keys_regularizer: Any = None,
        kernel_constraint: Any = None,
        recurrent_constraint: Any = None,
        bias_constraint: Any = None,
        keys_constraint: Any = None,
        dropout: float = 0.0,
        recurrent_dropout: float = 0.0,
        seed: int | None = None,
        clusters_per_token: int = 1,
        separate_writes: bool = False,
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
        cell = CorefGRUCell(
            units,
            num_clusters,
            activation=activation,
            recurrent_activation=recurrent_activation,
            use_bias=use_bias,
            kernel_initializer=kernel_initializer,
            recurrent_initializer=recurrent_initializer,
            bias_initializer=bias_initializer,
            keys_initializer=keys_initializer,
            kernel_regularizer=kernel_regularizer,
            recurrent_regularizer=recurrent_regularizer,
            bias_regularizer=bias_regularizer,
            keys_regularizer=keys_regularizer,
            kernel_constraint=kernel_constraint,
            recurrent_constraint=recurrent_constraint,
            bias_constraint=bias_constraint,
            keys_constraint=keys_constraint,
            dropout=dropout,
            recurrent_dropout=recurrent_dropout,
            seed=seed,
            clusters_per_token=clusters_per_token,
            separate_writes=separate_writes,
            name="coref_gru_cell",
            dtype=dtype,
            trainable=trainable,
            autocast=False,  # the ids stay exact, the cell casts the features
        )
        super().__init__(
            cell,
            return_sequences=return_sequences,
            return_state=return_state,
            go_backwards=go_backwards,
            stateful=stateful,
            unroll=unroll,
            zero_output_for_mask=zero_output_for_mask,
            use_kernel=use_kernel,
            activity_regularizer=activity_regularizer,
            name=name,
            trainable=trainable,
            dtype=dtype,
        )

    def get_config(self) -> dict[str, Any]:
        config = super().get_config()
        cell = config.pop("cell")["config"]
        for name in ("name", "dtype", "trainable", "autocast"):
            del cell[name]
        return {**cell, **config}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> CorefGRU:
        return cls(**config)
