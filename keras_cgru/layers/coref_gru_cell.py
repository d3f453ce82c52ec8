"""The Coref-GRU cell, for stock `keras.layers.RNN`."""

from __future__ import annotations

from typing import Any

import keras
from keras import constraints, initializers, ops, regularizers

from keras_cgru.layers.cluster_memory import (
    clean_ids,
    find_rows,
    memory_rows,
    write_rows,
)
from keras_cgru.layers.validation import (
    check_clusters_fit_dtype,
    check_clusters_per_token,
    check_num_clusters,
    check_units,
)


@keras.saving.register_keras_serializable(package="keras_cgru")
class CorefGRUCell(keras.layers.GRUCell):
    """One step of the Coref-GRU of Dhingra et al. (2018).

    With `h` the previous state, `x` the token's features, `phi_s` and `phi_c` the
    first and the second half of a state, and `h_y` the state at the latest earlier
    token of the same coreference cluster:

        m     = alpha * phi_s(h) || (1 - alpha) * phi_c(h_y)
        r     = sigmoid(W_r x + U_r m + b_r)
        z     = sigmoid(W_z x + U_z m + b_z)
        c     = tanh(W_h x + r * (U_h m) + b_h)
        h'    = (1 - z) * m + z * c
        alpha = softmax(x . k1, x . k2)[0] if the token has an antecedent, else 1

    `keras.layers.RNN` takes one tensor, so the cluster id rides as the **last
    feature channel**; `keras_cgru.layers.pack_clusters` builds that tensor.
    `keras_cgru.layers.CorefGRU` is the same layer with the ids as a second input;
    the two exchange weights. In `keras.layers.StackedRNNCells` only the first cell
    sees the ids, since a cell passes its output alone to the next.

    Args:
        units: Positive even integer, size of the state. Half of it is sequential,
            half coreferent.
        num_clusters: Positive integer. Cluster ids outside `1..num_clusters` mean
            "no link". At most 255 under bfloat16 and 2,047 under float16, which do
            not tell larger integers apart.
        activation: Activation of the candidate state.
        recurrent_activation: Activation of the gates.
        use_bias: Whether the gates have a bias.
        kernel_initializer, recurrent_initializer, bias_initializer,
        keys_initializer: Initializers of the weights `kernel`
            `(input_dim, 3 * units)`, `recurrent_kernel` `(units, 3 * units)`,
            `bias` `(3 * units,)` (gates in the order r, z, h) and `keys`
            `(input_dim, 2)` (k1, k2).
        kernel_regularizer, recurrent_regularizer, bias_regularizer,
        keys_regularizer: Regularizers of the same.
        kernel_constraint, recurrent_constraint, bias_constraint, keys_constraint:
            Constraints of the same.
        dropout: Rate at which input features (never the cluster id) are dropped.
        recurrent_dropout: Rate at which entries of `m` are dropped before they
            meet the recurrent kernel.
        seed: Seed of the dropout.
        clusters_per_token: How many clusters k a token can be in, as with nested
            mentions ("[[his] mother]"). `alpha` is then a softmax over the sequential
            key and one coreferent key for each antecedent, `h_y` the mean of the
            antecedents' states, and the token becomes the latest of all its clusters.
        separate_writes: If True, a token reads one set of clusters and becomes the
            latest token of another, in the form of the released code, where a mention
            is read at its first token and written at its last. Stock `RNN` with
            `go_backwards` needs the two exchanged; `CorefGRU` does it by itself.

    Call arguments:
        inputs: `(batch, input_dim + k)`, the cluster ids last; with
            `separate_writes` `(batch, input_dim + 2 * k)`, first those that are read.
        states: `[h, memory]`: `(batch, units)` and
            `(batch, num_clusters * (units // 2 + 1))`. A cluster's part of the
            memory holds the coreferent half of its latest token, then 1 if the
            cluster was met, else 0.
        training: Whether dropout is applied.

    Output:
        `h` `(batch, units)` and the new states `[h, memory]`.

    Example:

    >>> x = np.random.random((2, 5, 8)).astype("float32")
    >>> clusters = np.array([[1, 0, 2, 1, 0], [0, 1, 1, 0, 0]])
    >>> layer = keras.layers.RNN(CorefGRUCell(64), return_sequences=True)
    >>> layer(pack_clusters(x, clusters)).shape
    (2, 5, 64)

    Reference:
        [Neural Models for Reasoning over Multiple Mentions using Coreference](
        https://aclanthology.org/N18-2007/), appendix A.
    """

    def __init__(
        self,
        units: int,
        num_clusters: int = 50,
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
        *,
        clusters_per_token: int = 1,
        separate_writes: bool = False,
        **kwargs: Any,
    ) -> None:
        check_units(units)
        check_num_clusters(num_clusters)
        check_clusters_per_token(clusters_per_token)
        super().__init__(
            units,
            activation=activation,
            recurrent_activation=recurrent_activation,
            use_bias=use_bias,
            kernel_initializer=kernel_initializer,
            recurrent_initializer=recurrent_initializer,
            bias_initializer=bias_initializer,
            kernel_regularizer=kernel_regularizer,
            recurrent_regularizer=recurrent_regularizer,
            bias_regularizer=bias_regularizer,
            kernel_constraint=kernel_constraint,
            recurrent_constraint=recurrent_constraint,
            bias_constraint=bias_constraint,
            dropout=dropout,
            recurrent_dropout=recurrent_dropout,
            reset_after=True,
            seed=seed,
            **kwargs,
        )
        # Without autocast the ids arrive in a type of their own.
        dtype = self.compute_dtype if self.autocast else "float32"
        check_clusters_fit_dtype(num_clusters, dtype)
        # GRUCell would draw a mask for each gate; one product U m needs just one.
        self.dropout_mask_count = None
        self.num_clusters = num_clusters
        self.clusters_per_token = clusters_per_token
        self.separate_writes = separate_writes
        self.keys_initializer = initializers.get(keys_initializer)
        self.keys_regularizer = regularizers.get(keys_regularizer)
        self.keys_constraint = constraints.get(keys_constraint)
        self.state_size = [units, num_clusters * (units // 2 + 1)]
        self.output_size = units

    @property
    def num_id_channels(self) -> int:
        """How many of the last input channels are cluster ids."""
        return self.clusters_per_token * (2 if self.separate_writes else 1)

    def build(self, input_shape: tuple) -> None:
        if len(input_shape) != 2 or isinstance(input_shape[-1], (list, tuple)):
            raise ValueError(
                "`keras.layers.RNN(CorefGRUCell(...))` must be called with one tensor, "
                "that of `keras_cgru.layers.pack_clusters(x, clusters)`. Received: "
                f"an input of shape {input_shape} a step"
            )
        input_dim = input_shape[-1] - self.num_id_channels
        if input_dim < 1:
            raise ValueError(
                "`inputs` must have at least one feature beside the "
                f"{self.num_id_channels} channels of cluster ids that "
                "`keras_cgru.layers.pack_clusters` appends. Received: "
                f"input_shape={input_shape}"
            )
        self._add_weights(input_dim)
        self.built = True

    def _add_weights(self, input_dim: int) -> None:
        self.kernel = self.add_weight(
            shape=(input_dim, 3 * self.units),
            name="kernel",
            initializer=self.kernel_initializer,
            regularizer=self.kernel_regularizer,
            constraint=self.kernel_constraint,
        )
        self.recurrent_kernel = self.add_weight(
            shape=(self.units, 3 * self.units),
            name="recurrent_kernel",
            initializer=self.recurrent_initializer,
            regularizer=self.recurrent_regularizer,
            constraint=self.recurrent_constraint,
        )
        self.bias = None
        if self.use_bias:
            self.bias = self.add_weight(
                shape=(3 * self.units,),
                name="bias",
                initializer=self.bias_initializer,
                regularizer=self.bias_regularizer,
                constraint=self.bias_constraint,
            )
        self.keys = self.add_weight(
            shape=(input_dim, 2),
            name="keys",
            initializer=self.keys_initializer,
            regularizer=self.keys_regularizer,
            constraint=self.keys_constraint,
        )

    def call(self, inputs: Any, states: Any, training: bool = False) -> tuple:
        h, memory = states
        half = self.units // 2
        num_ids = self.num_id_channels
        x = ops.cast(inputs[:, :-num_ids], self.compute_dtype)
        if training and self.dropout > 0:
            # `RNN` may have drawn it for a wider type.
            kept = self.get_dropout_mask(inputs)[:, :-num_ids]
            x = x * ops.cast(kept, x.dtype)

        ids = inputs[:, -num_ids:]
        memory = ops.reshape(memory, (-1, half + 1))
        reads = writes = self._rows(ids[:, : self.clusters_per_token])
        found = old = find_rows(memory, reads)
        if self.separate_writes:
            writes = self._rows(ids[:, self.clusters_per_token :])
            old = find_rows(memory, writes)
        h = self._gates(x, self._m(x, h, reads, found), training)

        written = ops.pad(h[:, half:], ((0, 0), (0, 1)), constant_values=1)
        memory = write_rows(memory, writes, written, old)
        return h, [h, ops.reshape(memory, (-1, self.state_size[1]))]

    def _m(self, x: Any, h: Any, reads: Any, found: list[Any]) -> Any:
        half = self.units // 2
        linked = [linked for _, linked in reads]
        states = [row[:, :half] for row in found]
        if len(found) > 1:  # else beta is 0 where there is no link
            states = _where(linked, states)
        # The flags of the memory are no quantities to be trained.
        count = _sum(_where(linked, [row[:, half:] for row in found]))
        alpha, beta = self._weights(x, ops.stop_gradient(count))
        return ops.concatenate([alpha * h[:, :half], beta * _sum(states)], axis=-1)

    def _rows(self, ids: Any) -> list[tuple[Any, Any]]:
        return memory_rows(clean_ids(ids, self.num_clusters), self.num_clusters)

    def _weights(self, x: Any, count: Any) -> tuple[Any, Any]:
        """Weights of the sequential side and of each antecedent, `(batch, 1)`.

        A softmax over the sequential key and one coreferent key for each of the
        `count` antecedents.
        """
        keys = ops.cast(self.keys, x.dtype)
        # The keys' difference: that of the products may be one of infinities.
        scores = ops.matmul(x, keys[:, :1] - keys[:, 1:])
        linked = count > 0
        if self.clusters_per_token > 1:
            count = ops.maximum(count, 1)
            scores = scores - ops.log(count)
        alpha = ops.where(linked, ops.sigmoid(scores), 1)
        beta = 1 - alpha
        return alpha, beta / count if self.clusters_per_token > 1 else beta

    def _gates(self, x: Any, m: Any, training: bool) -> Any:
        """The update equations: `(batch, units)` from `m` of the same shape."""
        projected = ops.matmul(x, ops.cast(self.kernel, x.dtype))
        if self.bias is not None:
            projected = projected + ops.cast(self.bias, x.dtype)
        recurrent_input = m
        if training and self.recurrent_dropout > 0:
            recurrent_input = m * ops.cast(self.get_recurrent_dropout_mask(m), m.dtype)
        kernel = ops.cast(self.recurrent_kernel, x.dtype)
        inner = ops.matmul(recurrent_input, kernel)
        x_r, x_z, x_h = ops.split(projected, 3, axis=-1)
        m_r, m_z, m_h = ops.split(inner, 3, axis=-1)
        r = self.recurrent_activation(x_r + m_r)
        z = self.recurrent_activation(x_z + m_z)
        candidate = self.activation(x_h + r * m_h)
        return (1 - z) * m + z * candidate

    def get_initial_state(self, batch_size: Any = None) -> list:
        return [
            ops.zeros((batch_size, size), dtype=self.compute_dtype)
            for size in self.state_size
        ]

    def get_config(self) -> dict[str, Any]:
        config = super().get_config()
        # The equations fix it: the reset gate acts after the product.
        del config["reset_after"]
        return {
            **config,
            "num_clusters": self.num_clusters,
            "clusters_per_token": self.clusters_per_token,
            "separate_writes": self.separate_writes,
            "keys_initializer": initializers.serialize(self.keys_initializer),
            "keys_regularizer": regularizers.serialize(self.keys_regularizer),
            "keys_constraint": constraints.serialize(self.keys_constraint),
        }


def _where(conditions: list[Any], values: list[Any]) -> list[Any]:
    pairs = zip(conditions, values, strict=True)
    return [ops.where(condition, value, 0) for condition, value in pairs]


def _sum(values: list[Any]) -> Any:
    first, *others = values
    return sum(others, start=first)
