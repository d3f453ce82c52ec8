"""Vectors of words from their characters."""

from __future__ import annotations

import numbers
from typing import Any

import keras
from keras import ops


@keras.saving.register_keras_serializable(package="keras_cgru")
class CharacterEncoder(keras.layers.Layer):
    """Reads each word's characters with a convolution and keeps the highest values.

        e_j = character vectors, 0 behind the word's last character
        v_f = max_j relu(sum_k e_(j+k) . W_kf + b_f)      j over the word's characters

    Args:
        vocabulary_size: Number of character ids, 0 (padding) included.
        embedding_dim: Size of the character vectors.
        filters: Number of filters, the size of a word's vector.
        width: Characters that a filter sees at once.
        embeddings_initializer, kernel_initializer, bias_initializer: Initializers.

    Call arguments:
        inputs: Character ids, int `(batch, time, characters)`; 0 is padding, which
            stands behind a word's characters.

    Output shape:
        `(batch, time, filters)`.

    Masking:
        Padding changes nothing: a word has one vector however it is padded, also one
        that is shorter than `width`. A token without characters has the vector 0. No
        mask is passed on.

    Raises:
        ValueError: A number is not positive, or the input has not three axes.

    Example:

    >>> CharacterEncoder(vocabulary_size=40)(np.ones((2, 7, 16), "int32")).shape
    (2, 7, 50)

    Reference:
        [Kim (2014)](https://aclanthology.org/D14-1181/); the sizes are those of
        Dhingra et al. (2018), appendix.
    """

    def __init__(
        self,
        vocabulary_size: int,
        embedding_dim: int = 10,
        filters: int = 50,
        width: int = 5,
        embeddings_initializer: Any = "uniform",
        kernel_initializer: Any = "glorot_uniform",
        bias_initializer: Any = "zeros",
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.vocabulary_size = _positive("vocabulary_size", vocabulary_size)
        self.embedding_dim = _positive("embedding_dim", embedding_dim)
        self.filters = _positive("filters", filters)
        self.width = _positive("width", width)
        self.embeddings_initializer = keras.initializers.get(embeddings_initializer)
        self.kernel_initializer = keras.initializers.get(kernel_initializer)
        self.bias_initializer = keras.initializers.get(bias_initializer)

    def build(self, input_shape: Any) -> None:
        if len(input_shape) != 3:
            raise ValueError(
                "CharacterEncoder must be called with character ids of shape (batch, "
                f"time, characters). Received: shape={tuple(input_shape)}"
            )
        self.embeddings = self.add_weight(
            (self.vocabulary_size, self.embedding_dim),
            self.embeddings_initializer,
            name="embeddings",
        )
        self.kernel = self.add_weight(
            (self.width, self.embedding_dim, self.filters),
            self.kernel_initializer,
            name="kernel",
        )
        self.bias = self.add_weight((self.filters,), self.bias_initializer, name="bias")
        self.built = True

    def call(self, inputs: Any) -> Any:
        real = ops.expand_dims(ops.not_equal(inputs, 0), -1)
        x = ops.take(self.embeddings, inputs, axis=0)
        x = ops.where(real, x, ops.zeros_like(x))
        # One product for all filters and places: a convolution over axes of some ten
        # numbers would be slower than the windows are to lay out.
        padded = ops.pad(x, [(0, 0), (0, 0), (0, self.width - 1), (0, 0)])
        length = ops.shape(inputs)[2]
        windows = ops.concatenate(
            [padded[:, :, k : k + length] for k in range(self.width)], axis=-1
        )
        kernel = ops.reshape(self.kernel, (-1, self.filters))
        found = ops.relu(ops.matmul(windows, kernel) + self.bias)
        # What relu gives is 0 at least, so that 0 stands for no character.
        return ops.max(ops.where(real, found, ops.zeros_like(found)), axis=2)

    def compute_output_shape(self, input_shape: Any) -> tuple:
        return (*input_shape[:2], self.filters)

    def compute_mask(self, inputs: Any, mask: Any = None) -> None:
        return None

    def get_config(self) -> dict[str, Any]:
        serialize = keras.initializers.serialize
        return {
            **super().get_config(),
            "vocabulary_size": self.vocabulary_size,
            "embedding_dim": self.embedding_dim,
            "filters": self.filters,
            "width": self.width,
            "embeddings_initializer": serialize(self.embeddings_initializer),
            "kernel_initializer": serialize(self.kernel_initializer),
            "bias_initializer": serialize(self.bias_initializer),
        }


def _positive(name: str, value: Any) -> int:
    if not isinstance(value, numbers.Integral) or isinstance(value, bool) or value < 1:
        raise ValueError(
            f"`{name}` must be a positive integer. Received: {name}={value!r}"
        )
    return int(value)
