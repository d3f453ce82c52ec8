"""The answer head for answers that need not stand in the document."""

from __future__ import annotations

import numbers
from typing import Any

import keras
from keras import initializers, ops

from keras_cgru.layers.check_shapes import check_shapes
from keras_cgru.layers.masked_softmax import masked_softmax, wide_dtype


@keras.saving.register_keras_serializable(package="keras_cgru")
class SoftmaxAnswer(keras.layers.Layer):
    """Chooses one of a fixed set of answers, or one word after the other of a list.

        a_t = softmax_t(d_t . q)                      over the document's tokens
        s   = sum_t a_t d_t
        y_i = softmax(W_i [s, q, s * q] + b_i)        for each place i of the answer

    Args:
        num_classes: Number of answers, or of words that an answer is made of.
        length: None for a single choice. A number gives an answer of so many places,
            each with its own choice; let one class mean "no word here".
        dropout: Rate of the dropout on what the choice is made from.
        logits: If True, gives the scores before the softmax, for a loss with
            `from_logits=True`.
        kernel_initializer, bias_initializer: Initializers of W and b.
        seed: Seed of the dropout.

    Call arguments:
        inputs: `[document, query]`: `(batch, time, dim)` and `(batch, dim)`.
        mask: `[document_mask, None]`, `(batch, time)`, False at padding; may be None.
        training: Whether to drop out.

    Output shape:
        `(batch, num_classes)`, or `(batch, length, num_classes)`; float32 or wider.

    Masking:
        Padding of the document carries no attention; a row without tokens is answered
        from the query alone.

    Raises:
        ValueError: An argument is out of its range.

    Reference:
        Dhingra et al. (2018), https://aclanthology.org/N18-2007/, appendix: "a softmax
        layer for predicting one of the classes". What it reads is not said there.
    """

    def __init__(
        self,
        num_classes: int,
        length: int | None = None,
        dropout: float = 0.0,
        logits: bool = False,
        kernel_initializer: Any = "glorot_uniform",
        bias_initializer: Any = "zeros",
        seed: int | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        _check_positive("num_classes", num_classes)
        if length is not None:
            _check_positive("length", length)
        self.num_classes = num_classes
        self.length = length
        self.dropout = dropout
        self.logits = logits
        self.seed = seed
        self.kernel_initializer = initializers.get(kernel_initializer)
        self.bias_initializer = initializers.get(bias_initializer)
        # It refuses a rate outside [0, 1], and draws no seed generator at rate 0.
        self._dropout = keras.layers.Dropout(
            dropout, seed=seed, dtype=self.dtype_policy
        )
        self.supports_masking = True

    def build(self, input_shape: Any) -> None:
        wanted = {"document": ("batch", "time", "dim"), "query": ("batch", "dim")}
        check_shapes("SoftmaxAnswer", input_shape, wanted)
        columns = self.num_classes * (self.length or 1)
        self.kernel = self.add_weight(
            shape=(3 * input_shape[1][-1], columns),
            initializer=self.kernel_initializer,
            name="kernel",
        )
        self.bias = self.add_weight(
            shape=(columns,), initializer=self.bias_initializer, name="bias"
        )
        self.built = True

    def call(self, inputs: Any, mask: Any = None, training: bool = False) -> Any:
        document, query = inputs
        weights = ops.cast(self.attention(inputs, mask), document.dtype)
        summary = ops.einsum("bt,btd->bd", weights, document)
        features = ops.concatenate([summary, query, summary * query], axis=-1)
        features = self._dropout(features, training=training)
        scores = ops.matmul(features, self.kernel) + self.bias
        scores = ops.cast(scores, wide_dtype(document))
        if self.length is not None:
            scores = ops.reshape(scores, (-1, self.length, self.num_classes))
        return scores if self.logits else masked_softmax(scores)

    def attention(self, inputs: Any, mask: Any = None) -> Any:
        """The weights of the document's tokens, `(batch, time)`.

        Args:
            inputs, mask: As the layer is called.
        """
        document, query = inputs
        dtype = wide_dtype(document)
        # Scores in float32: a product over `dim` overflows float16.
        scores = ops.einsum(
            "btd,bd->bt", ops.cast(document, dtype), ops.cast(query, dtype)
        )
        return masked_softmax(scores, None if mask is None else mask[0])

    def compute_mask(self, inputs: Any, mask: Any = None) -> None:
        return None

    def compute_output_shape(self, input_shape: Any) -> tuple:
        places = () if self.length is None else (self.length,)
        return (input_shape[0][0], *places, self.num_classes)

    def get_config(self) -> dict[str, Any]:
        return {
            **super().get_config(),
            "num_classes": self.num_classes,
            "length": self.length,
            "dropout": self.dropout,
            "logits": self.logits,
            "kernel_initializer": initializers.serialize(self.kernel_initializer),
            "bias_initializer": initializers.serialize(self.bias_initializer),
            "seed": self.seed,
        }


def _check_positive(name: str, value: Any) -> None:
    if not isinstance(value, numbers.Integral) or isinstance(value, bool) or value < 1:
        raise ValueError(
            f"`{name}` must be a positive integer. Received: {name}={value!r}"
        )
