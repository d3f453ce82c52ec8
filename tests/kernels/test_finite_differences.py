"""The kernels' gradients, written by hand, beside differences of their values.

In double precision, of every argument, with all that a kernel can be given at once:
several clusters a token, an initial memory, padding, recurrent dropout.
"""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from keras import ops

from keras_cgru.kernels import find_kernel

INPUT_DIM, UNITS, NUM_CLUSTERS = 3, 4, 3
EPSILON = 1e-5
SIZES = [(3, 6, 2), (1, 5, 1), (1, 1, 2), (4, 1, 1), (2, 3, 3)]


def _links(rng, keep, k):
    """Steps of antecedents and successors, and how many antecedents there are.

    The rows behind the steps are the initial memory, in which each cluster was met.
    """
    time, batch, _ = keep.shape
    own = np.arange(time)[:, None, None]
    rows = np.broadcast_to(own, (time, batch, k)).copy()
    following, counts = rows.copy(), np.zeros((time, batch, 1))
    latest: dict[tuple[int, int], tuple[int, int]] = {}
    for t, b in zip(*np.nonzero(keep[:, :, 0]), strict=True):
        # Of five ids the last two stand for none.
        for i, cluster in enumerate(rng.permutation(NUM_CLUSTERS + 2)[:k]):
            if cluster >= NUM_CLUSTERS:
                continue
            counts[t, b] += 1
            rows[t, b, i] = time + cluster
            if (b, cluster) in latest:
                step, slot = latest[b, cluster]
                rows[t, b, i], following[step, b, slot] = step, t
            latest[b, cluster] = t, i
    return {
        "rows": rows.astype("int32"),
        "next_steps": following.astype("int32"),
        "counts": counts,
    }


@pytest.mark.usefixtures("double_precision")
@pytest.mark.parametrize(("batch", "time", "k"), SIZES)
def test_gradients(batch, time, k, value_and_gradients):
    rng = np.random.default_rng(batch + 10 * time)
    shapes = {
        "x": (time, batch, INPUT_DIM),
        "keys": (INPUT_DIM, 2),
        "kernel": (INPUT_DIM, 3 * UNITS),
        "recurrent_kernel": (UNITS, 3 * UNITS),
        "bias": (3 * UNITS,),
        "h": (batch, UNITS),
        "first_rows": (NUM_CLUSTERS, batch, UNITS // 2),
    }
    arrays = [rng.normal(size=shape) for shape in shapes.values()]
    keep = rng.random((time, batch, 1)) < 0.8
    keep[0, 0] = True
    fixed = {
        **_links(rng, keep, k),
        "keep": keep,
        "recurrent_mask": 2.0 * (rng.random((batch, UNITS)) < 0.5),
    }
    tensors = {name: ops.convert_to_tensor(array) for name, array in fixed.items()}
    kernel, cotangent = find_kernel("coref_gru"), rng.normal(size=(time, batch, UNITS))

    def call(*arguments):
        return [kernel(**dict(zip(shapes, arguments, strict=True)), **tensors)]

    def value_and_slopes(arrays):
        no_layer = SimpleNamespace(trainable_variables=[])
        outputs, slopes, _ = value_and_gradients(no_layer, call, arrays, [cotangent])
        assert outputs[0].dtype == "float64"
        return (outputs[0] * cotangent).sum(), slopes

    _, slopes = value_and_slopes(arrays)
    # All arguments at once: each value is a program to compile.
    directions = [rng.normal(size=array.shape) for array in arrays]
    moved = [
        value_and_slopes(
            [a + sign * EPSILON * d for a, d in zip(arrays, directions, strict=True)]
        )[0]
        for sign in (1, -1)
    ]
    difference = (moved[0] - moved[1]) / (2 * EPSILON)
    pairs = zip(slopes, directions, strict=True)
    parts = [(slope * direction).sum() for slope, direction in pairs]
    assert min(map(abs, parts)) > 1e-3, "each argument has its part"
    assert sum(parts) == pytest.approx(difference, rel=1e-7)
