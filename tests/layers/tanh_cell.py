"""A second cell with the same memory, a plain one: h' = tanh(W x + U m + b).

All that makes it a cell is here; the package does not know it.
"""

from __future__ import annotations

from typing import Any

import keras
import numpy as np

from keras_cgru.layers import CorefCell


@keras.saving.register_keras_serializable(package="tests")
class CorefTanhCell(CorefCell):
    def update(self, x: Any, m: Any, carried: list, training: bool) -> list:
        return [self.activation(self.project(x) + self.recur(m, training))]


class TanhEquation:
    """The same for `oracle`."""

    @staticmethod
    def forward(wx, um, m, options, keep):
        keep.update(new=np.tanh(wx + um))
        return keep["new"]

    @staticmethod
    def backward(d_out, v, options):
        d_inner = d_out * (1 - v["new"] ** 2)
        return d_inner, d_inner, np.zeros_like(d_out)
