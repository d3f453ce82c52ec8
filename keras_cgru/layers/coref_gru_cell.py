"""The Coref-GRU cell, for stock `keras.layers.RNN`."""

from __future__ import annotations

from typing import Any

import keras
from keras import activations, ops

from keras_cgru.layers.coref_cell import CorefCell


@keras.saving.register_keras_serializable(package="keras_cgru")
class CorefGRUCell(CorefCell):
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

    num_gates = 3
    kernel_name = "coref_gru"
    kernel_settings = {
        "activation": activations.tanh,
        "recurrent_activation": activations.sigmoid,
    }

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
        super().__init__(
            units,
            num_clusters,
            activation,
            use_bias,
            kernel_initializer,
            recurrent_initializer,
            bias_initializer,
            keys_initializer,
            kernel_regularizer,
            recurrent_regularizer,
            bias_regularizer,
            keys_regularizer,
            kernel_constraint,
            recurrent_constraint,
            bias_constraint,
            keys_constraint,
            dropout,
            recurrent_dropout,
            seed,
            clusters_per_token=clusters_per_token,
            separate_writes=separate_writes,
            **kwargs,
        )
        self.recurrent_activation = activations.get(recurrent_activation)

    def update(self, x: Any, m: Any, carried: list, training: bool) -> list:
        x_r, x_z, x_h = ops.split(self.project(x), 3, axis=-1)
        m_r, m_z, m_h = ops.split(self.recur(m, training), 3, axis=-1)
        r = self.recurrent_activation(x_r + m_r)
        z = self.recurrent_activation(x_z + m_z)
        candidate = self.activation(x_h + r * m_h)
        return [(1 - z) * m + z * candidate]

    def get_config(self) -> dict[str, Any]:
        return {
            **super().get_config(),
            "recurrent_activation": activations.serialize(self.recurrent_activation),
        }
