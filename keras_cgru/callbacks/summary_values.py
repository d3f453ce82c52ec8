"""Values of TensorBoard's events, made without TensorFlow: what each tab shows."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from typing import Any

import numpy as np

try:
    from tensorboard.compat.proto.summary_pb2 import Summary
    from tensorboard.plugins.histogram import metadata as histograms
    from tensorboard.plugins.image import metadata as images
    from tensorboard.plugins.text import metadata as texts
    from tensorboard.util import tensor_util
except ImportError:
    pass  # `require_tensorboard` says so at use.

# A `Summary.Value`: protocol buffers come without types.
Value = Any

# As many as TensorBoard's own histograms have.
NUM_BUCKETS = 30


def scalar_values(scalars: Mapping[str, float]) -> list[Value]:
    """A number for each tag, for the tabs Scalars and Time Series."""
    return [
        Summary.Value(tag=tag, simple_value=value) for tag, value in scalars.items()
    ]


def histogram_value(tag: str, values: Any) -> Value | None:
    """How values are distributed, for the tabs Histograms and Distributions.

    Args:
        tag: What it is called.
        values: Numbers of any shape. What is not finite is left out; None comes back
            where nothing is left.
    """
    array = np.asarray(values, "float64").ravel()
    array = array[np.isfinite(array)]
    if not array.size:
        return None
    counts, edges = np.histogram(array, _edges(array))
    # (buckets, 3): from, to, how many.
    rows = np.stack([edges[:-1], edges[1:], counts], axis=1)
    return Summary.Value(
        tag=tag,
        metadata=histograms.create_summary_metadata(None, None),
        tensor=tensor_util.make_tensor_proto(rows),
    )


def image_value(tag: str, png: bytes, description: str = "") -> Value:
    """A picture, for the tab Images.

    Args:
        tag: What it is called.
        png: The content of a PNG file.
        description: What TensorBoard says of it, in Markdown.
    """
    width, height = struct.unpack(">II", png[16:24])
    content = [str(width).encode(), str(height).encode(), png]
    return Summary.Value(
        tag=tag,
        metadata=images.create_summary_metadata(None, description),
        tensor=tensor_util.make_tensor_proto(content),
    )


def text_value(tag: str, markdown: str) -> Value:
    """A text in Markdown, for the tab Text."""
    # A lone surrogate of a damaged source has no UTF-8 form.
    content = markdown.encode("utf-8", "backslashreplace")
    return Summary.Value(
        tag=tag,
        metadata=texts.create_summary_metadata(None, None),
        tensor=tensor_util.make_tensor_proto(content),
    )


def _edges(array: np.ndarray) -> np.ndarray:
    low, high = array.min(), array.max()
    edges = np.linspace(low, high, NUM_BUCKETS + 1)
    if (np.diff(edges) > 0).all():
        return edges
    # All alike, or too close together for edges between them.
    width = max(abs(low), 1.0) * 1e-6
    return np.array([low - width, high + width])
