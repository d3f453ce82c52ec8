"""Texts in TensorFlow's tensors, whatever backend Keras has."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np


def is_tensorflow(value: Any) -> bool:
    """Whether this is a tensor of TensorFlow."""
    # What nobody has imported has made no tensor: TensorFlow is not needed here.
    tensorflow = sys.modules.get("tensorflow")
    return tensorflow is not None and tensorflow.is_tensor(value)


def read_tensor(
    texts: Any,
    read: Callable[[Any], dict[str, np.ndarray]],
    dtypes: Mapping[str, str],
    shape: tuple,
) -> dict[str, Any]:
    """Runs a function of NumPy over a tensor of strings, within a graph or without.

    Args:
        texts: The tensor.
        read: Makes arrays by name of an array of bytes.
        dtypes: Those of the arrays, in the order in which `read` gives them.
        shape: That of each array, as far as it is known.

    Returns:
        Tensors by name.
    """
    tensorflow = sys.modules["tensorflow"]
    if tensorflow.executing_eagerly():
        arrays = read(texts.numpy())
        return {name: tensorflow.convert_to_tensor(arrays[name]) for name in dtypes}
    tensors = tensorflow.numpy_function(
        lambda array: list(read(array).values()), [texts], list(dtypes.values())
    )
    for tensor in tensors:
        tensor.set_shape(shape)
    return dict(zip(dtypes, tensors, strict=True))
