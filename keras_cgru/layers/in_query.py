"""Which words of the document stand in the query."""

from __future__ import annotations

from typing import Any

import keras
from keras import ops

from keras_cgru.layers.check_shapes import check_shapes


@keras.saving.register_keras_serializable(package="keras_cgru")
class InQuery(keras.layers.Layer):
    """Marks the tokens of a document whose word the query has, too.

    Call arguments:
        inputs: `[document, query]`, word ids `(batch, time)` and
            `(batch, query_time)`.
        mask: `[document_mask, query_mask]` of the same shapes, False at padding;
            either may be None.

    Output shape:
        `(batch, time)`, int32: 1 for a word of the query, else 0.

    Masking:
        Padding of the query matches nothing, and padding of the document is 0. No
        mask is passed on.

    Raises:
        ValueError: The inputs are not two, of rank 2 each.

    Example:

    >>> InQuery()([np.array([[4, 5, 6, 5]]), np.array([[5, 7]])])
    [[0, 1, 0, 1]]

    Reference:
        Dhingra et al. (2018), appendix, after
        [Weissenborn et al. (2017)](https://aclanthology.org/K17-1028/).
    """

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.supports_masking = True

    def build(self, input_shape: Any) -> None:
        wanted = {"document": ("batch", "time"), "query": ("batch", "query_time")}
        check_shapes("InQuery", input_shape, wanted)
        self.built = True

    def call(self, inputs: Any, mask: Any = None) -> Any:
        document, query = inputs
        document_mask, query_mask = (None, None) if mask is None else mask
        same = ops.equal(ops.expand_dims(document, 2), ops.expand_dims(query, 1))
        if query_mask is not None:
            real = ops.expand_dims(ops.cast(query_mask, "bool"), 1)
            same = ops.logical_and(same, real)
        found = ops.any(same, axis=-1)
        if document_mask is not None:
            found = ops.logical_and(found, ops.cast(document_mask, "bool"))
        return ops.cast(found, "int32")

    def compute_mask(self, inputs: Any, mask: Any = None) -> None:
        return None
