"""Softmax that padding cannot enter."""

from __future__ import annotations

from typing import Any

import keras
from keras import ops

# Far below any score, and finite: differences of it stay numbers.
LOWEST = -1e30


def masked_softmax(scores: Any, mask: Any = None) -> Any:
    """Softmax over the last axis among the entries that `mask` keeps.

    Computed in float32 or wider, so that half-precision scores neither overflow nor
    lose weight. Masked entries get exactly 0; a row without any entry gets zeros.

    Args:
        scores: `(..., n)`.
        mask: Boolean, broadcastable to `scores`; None keeps all.

    Returns:
        `(..., n)`, each row summing to 1, or to 0 where everything is masked.
    """
    scores = ops.cast(scores, wide_dtype(scores))
    if mask is None:
        return ops.softmax(scores, axis=-1)
    mask = ops.cast(mask, "bool")
    scores = ops.where(mask, scores, LOWEST)
    top = ops.stop_gradient(_top(scores))
    weights = ops.where(mask, ops.exp(scores - top), 0.0)
    total = ops.sum(weights, axis=-1, keepdims=True)
    return weights / ops.where(total > 0, total, 1.0)


def masked_logsumexp(scores: Any, mask: Any) -> tuple[Any, Any]:
    """log(sum(exp(scores))) over the last axis among the entries `mask` keeps.

    Args:
        scores: `(..., n)`.
        mask: Boolean, broadcastable with `scores`.

    Returns:
        The sums `(...)`, 0 where everything is masked and NaN where a score is, and
        whether anything was kept `(...)`.
    """
    scores = ops.where(mask, scores, LOWEST)
    top = ops.stop_gradient(_top(scores))
    total = ops.sum(ops.where(mask, ops.exp(scores - top), 0.0), axis=-1)
    kept = total != 0  # NaN is kept: a training that diverged should show it.
    # The inner `where` keeps the logarithm's gradient finite on empty rows.
    sums = ops.log(ops.where(kept, total, 1.0)) + ops.squeeze(top, axis=-1)
    return ops.where(kept, sums, 0.0), kept


def wide_dtype(tensor: Any) -> str:
    """The tensor's dtype, but at least float32."""
    return keras.backend.result_type(tensor.dtype, "float32")


def _top(scores: Any) -> Any:
    # TensorFlow and PyTorch give no maximum of a batch without rows, unless told one.
    # Where there surely are rows it is not told: XLA would compute what follows in
    # another order, with other last digits.
    rows = scores.shape[:-1]
    has_rows = all(isinstance(size, int) and size > 0 for size in rows)
    initial = None if has_rows else LOWEST
    return ops.max(scores, axis=-1, keepdims=True, initial=initial)
