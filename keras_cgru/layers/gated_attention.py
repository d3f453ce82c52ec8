"""Gated attention between a document and a query."""

from __future__ import annotations

from typing import Any

import keras
from keras import ops

from keras_cgru.layers.check_shapes import check_shapes
from keras_cgru.layers.masked_softmax import masked_softmax, wide_dtype


@keras.saving.register_keras_serializable(package="keras_cgru")
class GatedAttention(keras.layers.Layer):
    """Multiplies each document token by its own summary of the query.

        weights_t = softmax_j(d_t . q_j)        over the query's real tokens
        output_t  = d_t * sum_j(weights_tj q_j)

    Call arguments:
        inputs: `[document, query]`, `(batch, time, dim)` and
            `(batch, query_time, dim)`.
        mask: `[document_mask, query_mask]`, `(batch, time)` and
            `(batch, query_time)`, False at padding; either may be None. Taken from
            the inputs' Keras masks where it is not given.

    Output shape:
        `(batch, time, dim)`.

    Masking:
        Padding of the query gets weight exactly 0 and padding of the document is 0
        in the output. A row whose query is all padding gives zeros.

    Example:

    >>> document, query = np.ones((2, 7, 4)), np.ones((2, 3, 4))
    >>> GatedAttention()([document, query]).shape
    (2, 7, 4)

    Reference:
        [Gated-Attention Readers for Text Comprehension](
        https://aclanthology.org/P17-1168/) (Dhingra et al., 2017), equation 5.
    """

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.supports_masking = True

    def build(self, input_shape: Any) -> None:
        wanted = {
            "document": ("batch", "time", "dim"),
            "query": ("batch", "query_time", "dim"),
        }
        check_shapes("GatedAttention", input_shape, wanted)
        self.built = True

    def call(self, inputs: Any, mask: Any = None) -> Any:
        document, query = inputs
        weights = ops.cast(self.attention(inputs, mask), query.dtype)
        gated = document * ops.matmul(weights, query)
        document_mask = None if mask is None else mask[0]
        if document_mask is None:
            return gated
        keep = ops.expand_dims(ops.cast(document_mask, "bool"), axis=-1)
        return ops.where(keep, gated, ops.zeros_like(gated))

    def attention(self, inputs: Any, mask: Any = None) -> Any:
        """The weights of the query's tokens, `(batch, time, query_time)`.

        Args:
            inputs, mask: As the layer is called.
        """
        document, query = inputs
        # Scores in float32: a product over `dim` overflows float16.
        scores = ops.matmul(
            ops.cast(document, wide_dtype(document)),
            ops.transpose(ops.cast(query, wide_dtype(query)), (0, 2, 1)),
        )
        query_mask = None if mask is None else mask[1]
        if query_mask is not None:
            query_mask = ops.expand_dims(query_mask, axis=1)
        return masked_softmax(scores, query_mask)

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        return None if mask is None else mask[0]

    def compute_output_shape(self, input_shape: Any) -> tuple:
        return tuple(input_shape[0])
