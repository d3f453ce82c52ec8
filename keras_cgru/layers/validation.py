"""Checks that the recurrent layers share: each names argument, wish and value."""

from __future__ import annotations

import numbers
from typing import Any

import keras

# The largest integer up to which a floating-point type counts without a gap.
EXACT_INTEGERS = {"bfloat16": 256, "float16": 2048}


def check_units(units: Any) -> None:
    """Raises `ValueError` unless `units` is a positive even integer."""
    if not _is_integer(units) or units <= 0 or units % 2:
        raise ValueError(
            "`units` must be a positive even integer (half of the state is "
            f"sequential, half coreferent). Received: units={units!r}"
        )


def check_num_clusters(num_clusters: Any) -> None:
    """Raises `ValueError` unless `num_clusters` is a positive integer."""
    if not _is_integer(num_clusters) or num_clusters <= 0:
        raise ValueError(
            "`num_clusters` must be a positive integer. "
            f"Received: num_clusters={num_clusters!r}"
        )


def check_clusters_per_token(clusters_per_token: Any) -> None:
    """Raises `ValueError` unless `clusters_per_token` is a positive integer."""
    if not _is_integer(clusters_per_token) or clusters_per_token <= 0:
        raise ValueError(
            "`clusters_per_token` must be a positive integer. "
            f"Received: clusters_per_token={clusters_per_token!r}"
        )


def check_clusters_fit_dtype(num_clusters: int, dtype: str) -> None:
    """Raises `ValueError` if ids up to `num_clusters` are not exact in `dtype`."""
    limit = EXACT_INTEGERS.get(dtype)
    if limit is not None and num_clusters > limit:
        raise ValueError(
            f"`num_clusters` must be at most {limit} with compute dtype {dtype}, which "
            "counts integers exactly only so far. Use fewer clusters, "
            "`keras_cgru.layers.CorefGRU` (integer ids), or dtype='float32'. "
            f"Received: num_clusters={num_clusters}"
        )


def check_clusters(x_shape: tuple, clusters: Any) -> None:
    """Raises `ValueError` unless `clusters` are ids of the tokens of `x`.

    Args:
        x_shape: `(batch, time, input_dim)`; entries may be None.
        clusters: Tensor `(batch, time)` or `(batch, time, k)`.
    """
    shape = tuple(clusters.shape)
    if len(x_shape) != 3:
        raise ValueError(
            "The token features must have shape (batch, time, input_dim). "
            f"Received: shape={tuple(x_shape)}"
        )
    if len(shape) not in (2, 3) or not _compatible(x_shape[:2], shape[:2]):
        raise ValueError(
            "`clusters` must have shape (batch, time) or (batch, time, k), like the "
            f"first two axes of the token features. Received: clusters.shape={shape} "
            f"with features of shape {tuple(x_shape)}"
        )
    if keras.backend.standardize_dtype(clusters.dtype) == "bool":
        raise ValueError(
            "`clusters` must be integer cluster ids, 0 for none. Received: dtype=bool"
        )


def _compatible(wanted: tuple, got: tuple) -> bool:
    pairs = zip(wanted, got, strict=True)
    return all(a is None or b is None or a == b for a, b in pairs)


def _is_integer(value: Any) -> bool:
    return isinstance(value, numbers.Integral) and not isinstance(value, bool)
