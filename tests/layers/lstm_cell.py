"""A third cell: an LSTM with the same memory, which carries one state more."""

from __future__ import annotations

from typing import Any

import keras
import numpy as np
from keras import ops
from oracle import antecedent_of

from keras_cgru.layers import CorefCell


@keras.saving.register_keras_serializable(package="tests")
class CorefLSTMCell(CorefCell):
    num_gates = 4

    @property
    def carried_sizes(self) -> tuple[int, ...]:
        return (self.units,)

    def update(self, x: Any, m: Any, carried: list, training: bool) -> list:
        gates = self.project(x) + self.recur(m, training)
        i, f, o, new = ops.split(gates, 4, axis=-1)
        c = ops.sigmoid(f) * carried[0] + ops.sigmoid(i) * self.activation(new)
        return [ops.sigmoid(o) * self.activation(c), c]


def lstm_states(x, clusters, mask, weights, num_clusters):
    """All h of one row, and the last c, in NumPy."""
    units = weights.units
    half, states, h, c = units // 2, [], np.zeros(units), np.zeros(units)
    for t, token in enumerate(x.astype("float64")):
        if mask[t]:
            found = antecedent_of(range(len(x)), t, clusters, mask, num_clusters)
            scores = np.exp(token @ weights.keys)
            alpha = 1 if found is None else scores[0] / scores.sum()
            read = np.zeros(half) if found is None else states[found][half:]
            m = np.concatenate([alpha * h[:half], (1 - alpha) * read])
            gates = token @ weights.kernel + weights.bias + m @ weights.recurrent_kernel
            i, f, o, new = np.split(gates, 4)
            i, f, o = (1 / (1 + np.exp(-gate)) for gate in (i, f, o))
            c = f * c + i * np.tanh(new)
            h = o * np.tanh(c)
        states.append(h)
    return np.array(states), c
