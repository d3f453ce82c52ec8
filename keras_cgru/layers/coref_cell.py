"""What every cell with a coreferent memory shares: all but its equation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import keras
from keras import constraints, initializers, ops, regularizers

from keras_cgru.kernels.choose import find_kernel
from keras_cgru.layers.cluster_memory import (
    clean_ids,
    find_rows,
    memory_rows,
    write_rows,
)
from keras_cgru.layers.validation import (
    check_arguments,
    check_clusters_fit_dtype,
    check_clusters_per_token,
    check_num_clusters,
    check_units,
)


class CorefCell(keras.layers.SimpleRNNCell):
    """A recurrent cell that is biased towards coreferent recency.

    With `h` the previous state, `x` the token's features, `phi_s` and `phi_c` the
    first and the second half of a state, and `h_y` the state at the latest earlier
    token of the same coreference cluster:

        m     = alpha * phi_s(h) || (1 - alpha) * phi_c(h_y)
        alpha = softmax(x . k1, x . k2)[0] if the token has an antecedent, else 1

    What becomes of `x` and `m` is the subclass's: it overrides `update`, and sets
    `num_gates`, the number of columns that its weights have for each unit. It is read
    by `keras.layers.RNN` and by `keras_cgru.layers.CorefRNN`. A cell that has kernels
    names them (`kernel_name`, see `keras_cgru.kernels.find_kernel`) with the settings
    that they compute (`kernel_settings`).

    Args:
        units, num_clusters, activation, use_bias, clusters_per_token,
        separate_writes: See `keras_cgru.layers.CorefGRUCell`.
        kernel_initializer, recurrent_initializer, bias_initializer,
        keys_initializer: Initializers of the weights `kernel`
            `(input_dim, num_gates * units)`, `recurrent_kernel`
            `(units, num_gates * units)`, `bias` `(num_gates * units,)` and `keys`
            `(input_dim, 2)` (k1, k2).
        kernel_regularizer, recurrent_regularizer, bias_regularizer,
        keys_regularizer: Regularizers of the same.
        kernel_constraint, recurrent_constraint, bias_constraint, keys_constraint:
            Constraints of the same.
        dropout, recurrent_dropout, seed: See `keras_cgru.layers.CorefGRUCell`.
        **kwargs: `name`, `dtype`, `trainable`, `autocast`.

    Call arguments:
        inputs: `(batch, input_dim + k)`, the cluster ids last; with
            `separate_writes` `(batch, input_dim + 2 * k)`, first those that are read.
        states: `[h, memory]`, and what else the cell carries (`carried_sizes`).
        training: Whether dropout is applied.

    Output:
        `h` `(batch, units)` and the new states.

    Example:

    >>> class CorefTanhCell(CorefCell):
    ...     def update(self, x, m, carried, training):
    ...         return [self.activation(self.project(x) + self.recur(m, training))]
    >>> CorefRNN(CorefTanhCell(64))([x, clusters]).shape
    (2, 64)
    """

    num_gates: ClassVar[int] = 1
    kernel_name: ClassVar[str | None] = None
    kernel_settings: ClassVar[dict[str, Any]] = {}

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        check_arguments(cls.__name__, kwargs)
        return super().__new__(cls, *args, **kwargs)

    def __init__(
        self,
        units: int,
        num_clusters: int = 50,
        activation: Any = "tanh",
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
        # Each draws a seed when it is made: in this order, before that of dropout, a
        # random seed gives the weights and masks that it always gave.
        kernel_initializer = initializers.get(kernel_initializer)
        recurrent_initializer = initializers.get(recurrent_initializer)
        bias_initializer = initializers.get(bias_initializer)
        super().__init__(
            units,
            activation=activation,
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
            seed=seed,
            **kwargs,
        )
        # Without autocast the ids arrive in a type of their own.
        dtype = self.compute_dtype if self.autocast else "float32"
        check_clusters_fit_dtype(num_clusters, dtype)
        self.num_clusters = num_clusters
        self.clusters_per_token = clusters_per_token
        self.separate_writes = separate_writes
        self.keys_initializer = initializers.get(keys_initializer)
        self.keys_regularizer = regularizers.get(keys_regularizer)
        self.keys_constraint = constraints.get(keys_constraint)
        memory_size = num_clusters * (units // 2 + 1)
        self.state_size = [units, memory_size, *self.carried_sizes]

    @property
    def carried_sizes(self) -> tuple[int, ...]:
        """Sizes of the states that the cell carries on beside `h` and the memory."""
        return ()

    def update(self, x: Any, m: Any, carried: list, training: bool) -> list:
        """The equation of the cell.

        Args:
            x: `(batch, input_dim)`, the features in the compute dtype.
            m: `(batch, units)`, what the token sees of the past.
            carried: The other states, of `carried_sizes`.
            training: Whether dropout is applied.

        Returns:
            The new state `(batch, units)`, then the other states.
        """
        raise NotImplementedError(f"{type(self).__name__} must override `update`")

    def project(self, x: Any) -> Any:
        """x W + b, `(batch, num_gates * units)`."""
        projected = ops.matmul(x, ops.cast(self.kernel, x.dtype))
        if self.bias is None:
            return projected
        return projected + ops.cast(self.bias, x.dtype)

    def recur(self, m: Any, training: bool) -> Any:
        """m U, `(batch, num_gates * units)`, under the recurrent dropout."""
        if training and self.recurrent_dropout > 0:
            m = m * ops.cast(self.get_recurrent_dropout_mask(m), m.dtype)
        return ops.matmul(m, ops.cast(self.recurrent_kernel, m.dtype))

    def find_kernel(self) -> Callable[..., Any] | None:
        """The active backend's kernel if it computes what the cell is set to."""
        settings = self.kernel_settings.items()
        if any(getattr(self, name) is not value for name, value in settings):
            return None
        return None if self.kernel_name is None else find_kernel(self.kernel_name)

    @property
    def num_id_channels(self) -> int:
        """How many of the last input channels are cluster ids."""
        return self.clusters_per_token * (2 if self.separate_writes else 1)

    def build(self, input_shape: tuple) -> None:
        if len(input_shape) != 2 or isinstance(input_shape[-1], (list, tuple)):
            raise ValueError(
                f"`keras.layers.RNN({type(self).__name__}(...))` must be called with "
                "one tensor, that of `keras_cgru.layers.pack_clusters(x, clusters)`. "
                f"Received: an input of shape {input_shape} a step"
            )
        input_dim = input_shape[-1] - self.num_id_channels
        if input_dim < 1:
            raise ValueError(
                "`inputs` must have at least one feature beside the "
                f"{self.num_id_channels} channels of cluster ids that "
                "`keras_cgru.layers.pack_clusters` appends. Received: "
                f"input_shape={input_shape}"
            )
        columns = self.num_gates * self.units
        self.kernel = self._named_weight("kernel", (input_dim, columns))
        self.recurrent_kernel = self._named_weight(
            "recurrent_kernel", (self.units, columns)
        )
        self.bias = self._named_weight("bias", (columns,)) if self.use_bias else None
        self.keys = self._named_weight("keys", (input_dim, 2))
        self.built = True

    def _named_weight(self, name: str, shape: tuple) -> Any:
        """A weight with the initializer, regularizer and constraint of its name."""
        kinds = ("initializer", "regularizer", "constraint")
        prefix = name.removesuffix("_kernel")
        given = {kind: getattr(self, f"{prefix}_{kind}") for kind in kinds}
        return self.add_weight(shape=shape, name=name, **given)

    def call(self, inputs: Any, states: Any, training: bool = False) -> tuple:
        h, memory, *carried = states
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
        m = self._m(x, h, reads, found)
        h, *carried = self.update(x, m, carried, training)

        written = ops.pad(h[:, half:], ((0, 0), (0, 1)), constant_values=1)
        memory = write_rows(memory, writes, written, old)
        return h, [h, ops.reshape(memory, (-1, self.state_size[1])), *carried]

    def _m(self, x: Any, h: Any, reads: Any, found: list[Any]) -> Any:
        half = self.units // 2
        linked = [linked for _, linked in reads]
        states = [row[:, :half] for row in found]
        if len(found) > 1:  # else beta is 0 where there is no link
            states = _where(linked, states)
        # The flags of the memory are no quantities to be trained.
        count = _sum(_where(linked, [row[:, half:] for row in found]))
        alpha, beta = self.weigh(x, ops.stop_gradient(count))
        return ops.concatenate([alpha * h[:, :half], beta * _sum(states)], axis=-1)

    def _rows(self, ids: Any) -> list[tuple[Any, Any]]:
        return memory_rows(clean_ids(ids, self.num_clusters), self.num_clusters)

    def weigh(self, x: Any, count: Any) -> tuple[Any, Any]:
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

    def get_initial_state(self, batch_size: Any = None) -> list:
        return [
            ops.zeros((batch_size, size), dtype=self.compute_dtype)
            for size in self.state_size
        ]

    def get_config(self) -> dict[str, Any]:
        config = {
            **super().get_config(),
            "num_clusters": self.num_clusters,
            "clusters_per_token": self.clusters_per_token,
            "separate_writes": self.separate_writes,
            "keys_initializer": initializers.serialize(self.keys_initializer),
            "keys_regularizer": regularizers.serialize(self.keys_regularizer),
            "keys_constraint": constraints.serialize(self.keys_constraint),
        }
        # Keras leaves it out, but it decides how many clusters there may be.
        return config if self.autocast else {**config, "autocast": False}


def _where(conditions: list[Any], values: list[Any]) -> list[Any]:
    pairs = zip(conditions, values, strict=True)
    return [ops.where(condition, value, 0) for condition, value in pairs]


def _sum(values: list[Any]) -> Any:
    first, *others = values
    return sum(others, start=first)
