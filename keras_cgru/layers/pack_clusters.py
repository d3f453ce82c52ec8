"""Features and cluster ids in the one tensor that `keras.layers.RNN` takes."""

from __future__ import annotations

from typing import Any

import keras
from keras import ops

from keras_cgru.layers.validation import check_clusters


def pack_clusters(x: Any, clusters: Any) -> Any:
    """Appends cluster ids to token features as the last channel.

    The input of `keras.layers.RNN(CorefGRUCell(...))`. The result is at least
    float32, in which ids are exact whatever the layer's own dtype.

    Args:
        x: `(batch, time, input_dim)` token features, floating point.
        clusters: `(batch, time)` cluster id of each token, 1 upwards; anything that
            is not in the layer's `1..num_clusters` means "no link".

    Returns:
        `(batch, time, input_dim + 1)`.

    Raises:
        ValueError: If the shapes do not belong together.
    """
    if not keras.utils.is_keras_tensor(x):
        x = ops.convert_to_tensor(x)
    if not keras.utils.is_keras_tensor(clusters):
        clusters = ops.convert_to_tensor(clusters)
    check_clusters(tuple(x.shape), clusters)
    dtype = keras.backend.result_type(x.dtype, "float32")
    ids = ops.cast(ops.expand_dims(clusters, axis=-1), dtype)
    return ops.concatenate([ops.cast(x, dtype), ids], axis=-1)
