"""Cluster ids as features."""

from __future__ import annotations

from typing import Any

import keras
from keras import ops

from keras_cgru.layers.check_shapes import check_shapes
from keras_cgru.layers.validation import check_num_clusters


@keras.saving.register_keras_serializable(package="keras_cgru")
class ClusterOneHot(keras.layers.Layer):
    """Appends the one-hot cluster of each token to its features.

    The paper's baseline "GRU + 1-hot": a plain recurrence that is told the clusters.

    Args:
        num_clusters: Ids outside `1..num_clusters` give zeros.

    Call arguments:
        inputs: `[x, clusters]`, `(batch, time, input_dim)` and `(batch, time)`.

    Output shape:
        `(batch, time, input_dim + num_clusters)`.

    Masking:
        The features' mask is passed on; padding is not treated otherwise.

    Reference:
        Dhingra et al. (2018), section 4, GA w/ GRU + 1-hot.
    """

    def __init__(self, num_clusters: int = 50, **kwargs: Any) -> None:
        check_num_clusters(num_clusters)
        super().__init__(**kwargs)
        self.num_clusters = num_clusters
        self.supports_masking = True

    def build(self, input_shape: Any) -> None:
        wanted = {"x": ("batch", "time", "input_dim"), "clusters": ("batch", "time")}
        check_shapes("ClusterOneHot", input_shape, wanted)
        self.built = True

    def call(self, inputs: Any) -> Any:
        x, clusters = inputs
        ids = ops.arange(1, self.num_clusters + 1, dtype="int32")
        is_own = ops.equal(ops.expand_dims(ops.cast(clusters, "int32"), -1), ids)
        return ops.concatenate([x, ops.cast(is_own, x.dtype)], axis=-1)

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        return mask[0] if isinstance(mask, (list, tuple)) else mask

    def compute_output_shape(self, input_shape: Any) -> tuple:
        batch, time, input_dim = input_shape[0]
        return (batch, time, input_dim + self.num_clusters)

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "num_clusters": self.num_clusters}
