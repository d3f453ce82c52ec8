"""Checks that the recurrent layers share: each names argument, wish and value."""

from __future__ import annotations

import numbers
from typing import Any

import keras
import numpy as np
from keras import ops

# The largest id that a floating-point type tells from the next integer.
LARGEST_ID = {"bfloat16": 255, "float16": 2047, "float32": 2**24 - 1}

# Arguments of `keras.layers.GRU` and its kin that no layer here has, and why.
FOREIGN_ARGUMENTS = {
    "reset_after": "the equations fix where a reset gate acts: after the product U m",
    "implementation": "there is one form of the equations; `use_kernel` of the layer "
    "chooses what computes it",
    "use_cudnn": "cuDNN knows no coreferent memory; `use_kernel` chooses what computes "
    "the equations",
    "time_major": "inputs are (batch, time, ...)",
}


def check_arguments(caller: str, arguments: dict[str, Any]) -> None:
    """Raises `TypeError` for an argument that `keras.layers.GRU` has and we do not."""
    for name, reason in FOREIGN_ARGUMENTS.items():
        if name in arguments:
            raise TypeError(
                f"{caller} has no `{name}`: {reason}. Leave it out. "
                f"Received: {name}={arguments[name]!r}"
            )


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
    wider = ", `keras_cgru.layers.CorefGRU` (integer ids), or dtype='float32'"
    wider = "" if dtype == "float32" else wider
    if limit is not None and num_clusters > limit:
        raise ValueError(
            f"`num_clusters` must be at most {limit} for ids that ride as features in "
            f"compute dtype {dtype}, which does not tell larger integers apart. Use "
            f"fewer clusters{wider}. Received: num_clusters={num_clusters}"
        )


def check_clusters(x_shape: tuple, clusters: Any, name: str = "clusters") -> None:
    """Raises `ValueError` unless `clusters` are ids of the tokens of `x`.

    Args:
        x_shape: `(batch, time, input_dim)`; entries may be None.
        clusters: Tensor `(batch, time)` or `(batch, time, k)`.
        name: What the caller knows them by.
    """
    check_clusters_shape(x_shape, tuple(clusters.shape), name)
    dtype = keras.backend.standardize_dtype(clusters.dtype)
    if dtype in ("bool", "bfloat16", "float16"):
        raise ValueError(
            f"`{name}` must be integer cluster ids, 0 for none (half precision, to "
            "which a mixed policy casts floating-point inputs, does not tell large ids "
            f"apart). Received: dtype={dtype}"
        )
    if dtype.startswith("float"):
        _check_whole_numbers(clusters, name)


def _check_whole_numbers(clusters: Any, name: str) -> None:
    """Looks at the values where there are any yet."""
    if keras.utils.is_keras_tensor(clusters):
        return
    try:
        values = ops.convert_to_numpy(clusters)
    except (TypeError, NotImplementedError, RuntimeError):
        return  # being traced
    wrong = np.argwhere(~np.isfinite(values) | (np.floor(values) != values))
    if len(wrong):
        first = tuple(wrong[0].tolist())
        raise ValueError(
            f"`{name}` must be integer cluster ids, 0 for none, or whole numbers in "
            f"floating point. Received: {name}[{', '.join(map(str, first))}]="
            f"{values[first]}"
        )


def check_clusters_shape(x_shape: Any, shape: Any, name: str = "clusters") -> None:
    """The same for shapes alone."""
    check_features_shape(x_shape)
    fits = (_has_rank(shape, 2) or _has_rank(shape, 3)) and _compatible(
        x_shape[:2], shape[:2]
    )
    if not fits:
        raise ValueError(
            f"`{name}` must have shape (batch, time) or (batch, time, k), like the "
            f"first two axes of the token features. Received: {name}.shape={shape} "
            f"with features of shape {x_shape}"
        )


def check_features_shape(shape: Any) -> None:
    """Raises `ValueError` unless token features may have this shape."""
    if not _has_rank(shape, 3):
        raise ValueError(
            "The token features `x` must have shape (batch, time, input_dim). "
            f"Received: shape={shape if shape is None else tuple(shape)}"
        )


def check_ids_per_token(shape: Any, wanted: int, name: str = "clusters") -> None:
    """Raises `ValueError` unless ids of this shape have `wanted` ids a token."""
    got = shape[2] if len(shape) > 2 else 1
    if got != wanted:
        raise ValueError(
            f"`{name}` must have {wanted} ids a token, as `clusters` had when the "
            f"layer was built. Received: {got} ids a token"
        )


def check_inputs(caller: str, sequences: list | tuple) -> None:
    """Raises `ValueError` unless these are the inputs of a `CorefRNN`."""
    if len(sequences) not in (2, 3):
        raise ValueError(
            f"{caller} must be called as `layer([x, clusters])`, as `layer([x, reads, "
            "writes])`, or as `layer(x)` without coreference. "
            f"Received: a list of {len(sequences)} inputs"
        )
    if sequences[0] is None:
        raise ValueError(
            "The token features `x` must be given, as in `layer([x, clusters])`. "
            "Received: x=None"
        )
    if len(sequences) == 3 and sequences[1] is None and sequences[2] is not None:
        raise ValueError(
            "`reads` must be given where `writes` are, as in `layer([x, reads, "
            "writes])`. Received: reads=None"
        )


def check_time(time: int | None, unroll: bool = False) -> None:
    """Raises `ValueError` for a length of the time dimension that cannot be read."""
    if time == 0:
        raise ValueError(
            "The time dimension of the token features must have at least one step; "
            "mask the tokens of an empty sequence instead. Received: 0 steps"
        )
    if unroll and time is None:
        raise ValueError(
            "`unroll=True` needs a time dimension of known length: give the `Input` "
            "one, or use unroll=False. Received: a time dimension of unknown length"
        )


def _has_rank(shape: Any, rank: int) -> bool:
    return isinstance(shape, (list, tuple)) and len(shape) == rank


def _compatible(wanted: tuple, got: tuple) -> bool:
    pairs = zip(wanted, got, strict=True)
    return all(a is None or b is None or a == b for a, b in pairs)


def _is_integer(value: Any) -> bool:
    return isinstance(value, numbers.Integral) and not isinstance(value, bool)
