"""Checks that the recurrent layers share: each names argument, wish and value."""

from __future__ import annotations

import numbers
from typing import Any

import keras

# The largest id that a floating-point type tells from the next integer.
LARGEST_ID = {"bfloat16": 255, "float16": 2047}


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
    """Raises `ValueError` if `dtype` takes an id out of range for `num_clusters`."""
    limit = LARGEST_ID.get(dtype)
    if limit is not None and num_clusters > limit:
        raise ValueError(
            f"`num_clusters` must be at most {limit} for ids that ride as features in "
            f"compute dtype {dtype}, which does not tell larger integers apart. Use "
            "fewer clusters, `keras_cgru.layers.CorefGRU` (integer ids), or "
            f"dtype='float32'. Received: num_clusters={num_clusters}"
        )


def check_clusters(x_shape: tuple, clusters: Any) -> None:
    """Raises `ValueError` unless `clusters` are ids of the tokens of `x`.

    Args:
        x_shape: `(batch, time, input_dim)`; entries may be None.
        clusters: Tensor `(batch, time)` or `(batch, time, k)`.
    """
    check_clusters_shape(x_shape, tuple(clusters.shape))
    dtype = keras.backend.standardize_dtype(clusters.dtype)
    if dtype == "bool" or dtype in LARGEST_ID:
        raise ValueError(
            "`clusters` must be integer cluster ids, 0 for none (half precision, to "
            "which a mixed policy casts floating-point inputs, does not tell large ids "
            f"apart). Received: dtype={dtype}"
        )


def check_clusters_shape(x_shape: Any, shape: Any) -> None:
    """The same for shapes alone."""
    if not _has_rank(x_shape, 3):
        raise ValueError(
            "The token features must have shape (batch, time, input_dim). "
            f"Received: shape={x_shape}"
        )
    fits = (_has_rank(shape, 2) or _has_rank(shape, 3)) and _compatible(
        x_shape[:2], shape[:2]
    )
    if not fits:
        raise ValueError(
            "`clusters` must have shape (batch, time) or (batch, time, k), like the "
            f"first two axes of the token features. Received: clusters.shape={shape} "
            f"with features of shape {x_shape}"
        )


def _has_rank(shape: Any, rank: int) -> bool:
    return isinstance(shape, (list, tuple)) and len(shape) == rank


def _compatible(wanted: tuple, got: tuple) -> bool:
    pairs = zip(wanted, got, strict=True)
    return all(a is None or b is None or a == b for a, b in pairs)


def _is_integer(value: Any) -> bool:
    return isinstance(value, numbers.Integral) and not isinstance(value, bool)
