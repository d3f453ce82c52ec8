"""Features and cluster ids in the one tensor that `keras.layers.RNN` takes."""

from __future__ import annotations

from typing import Any

import keras
from keras import ops

from keras_cgru.layers.validation import check_clusters, check_time


def pack_clusters(x: Any, clusters: Any, writes: Any = None) -> Any:
    """Appends cluster ids to token features as the last channels.

    The input of `keras.layers.RNN(CorefGRUCell(...))`. The result is at least
    float32, in which ids are exact whatever the layer's own dtype.

    Args:
        x: `(batch, time, input_dim)` token features, floating point.
        clusters: `(batch, time)` cluster id of each token, 1 upwards, or
            `(batch, time, k)` for a cell with `clusters_per_token=k`; anything that
            is not in the layer's `1..num_clusters` means "no link".
        writes: Of the same shape, for a cell with `separate_writes`: the clusters
            whose latest token this becomes; `clusters` are then only read.

    Returns:
        `(batch, time, input_dim + k)`, or `+ 2 * k` with `writes`; with the Keras mask
        of `x`, if it carries one.

    Raises:
        ValueError: If the shapes do not belong together, if there is no step, or if
            an id is no whole number.
    """
    inputs = [_tensor(part) for part in (x, clusters, writes) if part is not None]
    if getattr(inputs[0], "_keras_mask", None) is None:
        return pack(*inputs)
    return PackClusters()(inputs)


@keras.saving.register_keras_serializable(package="keras_cgru")
class PackClusters(keras.layers.Layer):
    """`pack_clusters` where the features carry a mask, which operations would drop."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{**kwargs, "autocast": False})
        self.supports_masking = True

    def call(self, inputs: Any) -> Any:
        return pack(*inputs)

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        return mask[0] if isinstance(mask, (list, tuple)) else mask


def pack(x: Any, clusters: Any, writes: Any = None) -> Any:
    """The same of tensors, without regard to a mask."""
    dtype = keras.backend.result_type(x.dtype, "float32")
    parts = [ops.cast(x, dtype)]
    for name, ids in (("clusters", clusters), ("writes", writes)):
        if ids is None:
            continue
        check_clusters(tuple(x.shape), ids, name)
        parts.append(ops.cast(as_rank_three(ids), dtype))
    check_time(x.shape[1])
    return ops.concatenate(parts, axis=-1)


def as_rank_three(clusters: Any) -> Any:
    """`(batch, time, k)`, with k = 1 for ids of shape `(batch, time)`."""
    return ops.expand_dims(clusters, -1) if len(clusters.shape) == 2 else clusters


def _tensor(values: Any) -> Any:
    is_symbolic = keras.utils.is_keras_tensor(values)
    return values if is_symbolic else ops.convert_to_tensor(values)
