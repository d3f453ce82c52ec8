"""The recurrence in plain NumPy, float64: what every implementation must equal.

It reads one row at a time, one token at a time, keeps every state it has seen in a
list, and looks the antecedent up by its position. It has no memory of clusters in its
loop, so it shares neither code nor method with the layers it judges.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np


def _sigmoid(a):
    return 1 / (1 + np.exp(-a))


# Name -> (function, its derivative), both of the pre-activation.
ACTIVATIONS = {
    "tanh": (np.tanh, lambda a: 1 - np.tanh(a) ** 2),
    "sigmoid": (_sigmoid, lambda a: _sigmoid(a) * (1 - _sigmoid(a))),
    "softsign": (lambda a: a / (1 + abs(a)), lambda a: 1 / (1 + abs(a)) ** 2),
    "hard_sigmoid": (
        lambda a: np.clip(a / 6 + 0.5, 0, 1),
        lambda a: np.where(abs(a) < 3, 1 / 6, 0.0),
    ),
}


class GRUEquation:
    """What becomes of W x + b, U m and m: the Coref-GRU's update, and its slopes."""

    @staticmethod
    def forward(wx, um, m, options, keep):
        """The new state; what `backward` needs goes into `keep`."""
        units = len(m)
        f, g = (
            ACTIVATIONS[name][0]
            for name in (options.activation, options.recurrent_activation)
        )
        a_r = wx[:units] + um[:units]
        a_z = wx[units : 2 * units] + um[units : 2 * units]
        r, z = g(a_r), g(a_z)
        inner = um[2 * units :]
        a_c = wx[2 * units :] + r * inner
        c = f(a_c)
        keep.update(a_r=a_r, a_z=a_z, a_c=a_c, r=r, z=z, c=c, inner=inner)
        return (1 - z) * m + z * c

    @staticmethod
    def backward(d_out, v, options):
        """Gradients of W x + b, of U m, and of m where it stands by itself."""
        df, dg = (
            ACTIVATIONS[name][1]
            for name in (options.activation, options.recurrent_activation)
        )
        d_c = d_out * v["z"] * df(v["a_c"])
        d_z = d_out * (v["c"] - v["m"]) * dg(v["a_z"])
        d_r = d_c * v["inner"] * dg(v["a_r"])
        d_wx = np.concatenate([d_r, d_z, d_c])
        d_um = np.concatenate([d_r, d_z, d_c * v["r"]])
        return d_wx, d_um, d_out * (1 - v["z"])


@dataclass
class Weights:
    """The layer's weights, in its own layout (gates r, z, h; keys k1, k2)."""

    kernel: np.ndarray  # (input_dim, gates * units)
    recurrent_kernel: np.ndarray  # (units, gates * units)
    bias: np.ndarray | None  # (gates * units,)
    keys: np.ndarray  # (input_dim, 2)

    @property
    def units(self) -> int:
        return self.recurrent_kernel.shape[0]

    @classmethod
    def of(cls, arrays: list[np.ndarray]) -> Weights:
        """From `layer.get_weights()`, three arrays without a bias."""
        arrays = [np.asarray(a, "float64") for a in arrays]
        return cls(*arrays) if len(arrays) == 4 else cls(*arrays[:2], None, arrays[2])

    def arrays(self) -> list[np.ndarray]:
        weights = [self.kernel, self.recurrent_kernel, self.bias, self.keys]
        return [w for w in weights if w is not None]

    def zeros(self) -> Weights:
        return Weights.of([np.zeros_like(w) for w in self.arrays()])


@dataclass(frozen=True)
class Options:
    num_clusters: int
    go_backwards: bool = False
    zero_output_for_mask: bool = False
    activation: str = "tanh"
    recurrent_activation: str = "sigmoid"
    equation: Any = GRUEquation


@dataclass
class Step:
    """One token as read: where it stood, its antecedent, all that `backward` needs."""

    token: int
    masked: bool
    # Step of the antecedent, or None; `from_memory` if it is the initial memory's.
    antecedent: int | None = None
    from_memory: bool = False
    values: dict[str, Any] = field(default_factory=dict)


@dataclass
class Result:
    outputs: np.ndarray  # (batch, time, units), in reading order as Keras gives them
    h: np.ndarray  # (batch, units)
    memory: np.ndarray  # (batch, num_clusters * (units // 2 + 1))


@dataclass
class Gradients:
    x: np.ndarray
    weights: Weights
    h: np.ndarray  # of the initial h
    memory: np.ndarray  # of the initial memory


def oracle(x, clusters, weights, options, *, mask=None, initial_state=None) -> Result:
    """Reads a batch. Masked steps repeat the output, `h`, or give zeros on request."""
    rows = _rows(x, clusters, weights, options, mask, initial_state)
    read = [_read_row(*row, weights, options)[1:] for row in rows]
    return Result(*(np.array(part) for part in zip(*read, strict=True)))


def oracle_gradients(
    x,
    clusters,
    weights,
    options,
    cotangents,
    *,
    mask=None,
    initial_state=None,
) -> Gradients:
    """Of sum(outputs * G1) + sum(h * G2) + sum(memory * G3), `cotangents` the three."""
    total = weights.zeros()
    rows = _rows(x, clusters, weights, options, mask, initial_state)
    parts = []
    for row, *given in zip(rows, *cotangents, strict=True):
        steps = _read_row(*row, weights, options)[0]
        parts.append(_backward_row(steps, row, given, weights, options, total))
    d_x, d_h, d_memory = (np.array(part) for part in zip(*parts, strict=True))
    return Gradients(d_x, total, d_h, d_memory)


def antecedent_of(order, position, clusters, mask, num_clusters) -> int | None:
    """Latest position before `position` in reading order with the same cluster."""
    own = clusters[order[position]]
    if not 1 <= own <= num_clusters:
        return None
    for earlier in range(position - 1, -1, -1):
        if mask[order[earlier]] and clusters[order[earlier]] == own:
            return earlier
    return None


def _rows(x, clusters, weights, options, mask, initial_state):
    """For each row: x, clusters, mask, initial h, initial memory."""
    x, clusters = np.asarray(x, "float64"), np.asarray(clusters)
    batch, time, _ = x.shape
    slot = weights.units // 2 + 1
    if mask is None:
        mask = np.ones((batch, time), bool)
    if initial_state is None:
        initial_state = (
            np.zeros((batch, weights.units)),
            np.zeros((batch, options.num_clusters * slot)),
        )
    h, memory = (np.asarray(state, "float64") for state in initial_state)
    return list(zip(x, clusters, np.asarray(mask, bool), h, memory, strict=True))


def _read_row(x, clusters, mask, h, memory, weights, options):
    """Steps, outputs, final h and final memory of one row."""
    half = weights.units // 2
    order = list(range(len(x)))
    if options.go_backwards:
        order.reverse()
    slots = memory.reshape(options.num_clusters, half + 1)
    steps: list[Step] = []
    states: list[np.ndarray] = []
    outputs = []
    for position, token in enumerate(order):
        step = Step(token, masked=not mask[token])
        steps.append(step)
        if step.masked:
            states.append(h)
            outputs.append(np.zeros_like(h) if options.zero_output_for_mask else h)
            continue
        found = antecedent_of(order, position, clusters, mask, options.num_clusters)
        h_y, step.antecedent = None, found
        if found is not None:
            h_y = states[found][half:]
        elif 1 <= clusters[token] <= options.num_clusters:
            slot = slots[clusters[token] - 1]
            step.from_memory = bool(slot[half] > 0)
            h_y = slot[:half] if step.from_memory else None
        h = _step(x[token], h, h_y, weights, options, step.values)
        states.append(h)
        outputs.append(h)
    final = _final_memory(slots, clusters, order, mask, states, half)
    return steps, outputs, h, final.reshape(-1)


def _step(x, h, h_y, weights, options, keep):
    """The equations for one token; what the backward pass needs goes into `keep`."""
    half = weights.units // 2
    alpha = 1.0
    if h_y is None:
        h_y = np.zeros(half)
    else:
        e1, e2 = np.exp(x @ weights.keys[:, 0]), np.exp(x @ weights.keys[:, 1])
        alpha = e1 / (e1 + e2)
    m = np.concatenate([alpha * h[:half], (1 - alpha) * h_y])
    wx = x @ weights.kernel + (0 if weights.bias is None else weights.bias)
    um = m @ weights.recurrent_kernel
    keep.update(x=x, h=h, h_y=h_y, alpha=alpha, m=m)
    return options.equation.forward(wx, um, m, options, keep)


def _final_memory(slots, clusters, order, mask, states, half):
    """Each cluster's latest token's coreferent half and a 1, else what was there."""
    final = slots.copy()
    for cluster, position in _last_tokens(clusters, order, mask, len(slots)).items():
        final[cluster - 1] = [*states[position][half:], 1.0]
    return final


def _last_tokens(clusters, order, mask, num_clusters):
    return {
        int(clusters[token]): position
        for position, token in enumerate(order)
        if mask[token] and 1 <= clusters[token] <= num_clusters
    }


def _backward_row(steps, row, cotangents, weights, options, total):
    """Gradients of x, initial h and initial memory; the weights' add into `total`."""
    x, clusters, mask, _, memory = row
    d_outputs, d_h_final, d_memory_final = cotangents
    half = weights.units // 2
    d_states = [np.zeros(weights.units) for _ in steps]  # of each step's h, from later
    d_h = np.array(d_h_final, "float64")  # of the running h
    d_slots = np.array(d_memory_final, "float64").reshape(options.num_clusters, -1)
    order = [step.token for step in steps]
    last = _last_tokens(clusters, order, mask, options.num_clusters)
    for cluster, position in last.items():
        d_states[position][half:] += d_slots[cluster - 1, :half]
        d_slots[cluster - 1] = 0
    d_x = np.zeros_like(x)
    for position in reversed(range(len(steps))):
        step = steps[position]
        if step.masked:
            if not options.zero_output_for_mask:
                d_h = d_h + d_outputs[position]
            continue
        d_h = d_h + d_outputs[position] + d_states[position]
        d_x[step.token], d_h, d_h_y = _backward_step(d_h, step, weights, options, total)
        if step.antecedent is not None:
            d_states[step.antecedent][half:] += d_h_y
        elif step.from_memory:
            d_slots[clusters[step.token] - 1, :half] += d_h_y
    return d_x, d_h, d_slots.reshape(memory.shape)


def _backward_step(d_out, step, weights, options, total):
    """Gradients of x, the previous h and the antecedent's half."""
    v = step.values
    half = weights.units // 2
    d_wx, d_um, d_m = options.equation.backward(d_out, v, options)
    d_m = d_m + weights.recurrent_kernel @ d_um
    total.kernel += np.outer(v["x"], d_wx)
    total.recurrent_kernel += np.outer(v["m"], d_um)
    if total.bias is not None:
        total.bias += d_wx
    d_x = weights.kernel @ d_wx
    d_h, d_h_y = np.zeros(weights.units), np.zeros(half)
    d_h[:half] = v["alpha"] * d_m[:half]
    if step.antecedent is not None or step.from_memory:
        d_h_y = (1 - v["alpha"]) * d_m[half:]
        d_alpha = d_m[:half] @ v["h"][:half] - d_m[half:] @ v["h_y"]
        # alpha = sigmoid(x.k1 - x.k2)
        d_score = d_alpha * v["alpha"] * (1 - v["alpha"])
        total.keys += np.outer(v["x"], [d_score, -d_score])
        d_x = d_x + d_score * (weights.keys[:, 0] - weights.keys[:, 1])
    return d_x, d_h, d_h_y


def bidirectional(forward, backward) -> np.ndarray:
    """`keras.layers.Bidirectional`'s concatenation of two `outputs`."""
    return np.concatenate([forward, backward[:, ::-1]], axis=-1)
