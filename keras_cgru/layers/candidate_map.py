"""Where candidates are mentioned, from the list of their mentions."""

from __future__ import annotations

from typing import Any

import keras
from keras import ops

from keras_cgru.layers.check_shapes import check_shapes


@keras.saving.register_keras_serializable(package="keras_cgru")
class CandidateMap(keras.layers.Layer):
    """Spreads a list of mentions out to what `AttentionSum` takes.

    A batch of long documents with many candidates is mostly zeros: 16 documents of
    2,200 tokens with 80 candidates are 2.8 million truth values and some 5,000
    mentions. So the list travels to the device, and the map is made there.

    Call arguments:
        inputs: `[occurrences, document, candidate_mask]`: int `(batch, pairs, 2)`, a
            candidate and a document position that it covers, -1 in both at padding;
            `(batch, time)`, of which the length counts; `(batch, candidates)`, of which
            the number counts.

    Output shape:
        `(batch, candidates, time)`, bool. Pairs that are out of range are left out.

    Raises:
        ValueError: The inputs are not three of these shapes.

    Example:

    >>> occurrences = np.array([[[0, 2], [1, 0], [-1, -1]]])
    >>> CandidateMap()([occurrences, np.zeros((1, 3)), np.ones((1, 2))])
    [[[False, False, True], [True, False, False]]]
    """

    def build(self, input_shape: Any) -> None:
        wanted = {
            "occurrences": ("batch", "pairs", "2"),
            "document": ("batch", "time"),
            "candidate_mask": ("batch", "candidates"),
        }
        check_shapes("CandidateMap", input_shape, wanted)
        if input_shape[0][2] != 2:
            raise ValueError(
                "CandidateMap: the last axis of `occurrences` must be of length 2, a "
                f"candidate and a position. Received: shape={tuple(input_shape[0])}"
            )
        self.built = True

    def call(self, inputs: Any) -> Any:
        occurrences, document, candidates = inputs
        shape = ops.shape(candidates)[0], ops.shape(candidates)[1]
        batch, num_candidates = shape
        time = ops.shape(document)[1]
        candidate, position = occurrences[..., 0], occurrences[..., 1]
        inside = (
            (candidate >= 0)
            & (candidate < num_candidates)
            & (position >= 0)
            & (position < time)
        )
        rows = ops.expand_dims(ops.arange(batch, dtype="int32"), 1)
        # One row more takes what is out of range.
        candidate = ops.where(inside, ops.cast(candidate, "int32"), num_candidates)
        position = ops.where(inside, ops.cast(position, "int32"), 0)
        rows = ops.broadcast_to(rows, ops.shape(candidate))
        indices = ops.reshape(ops.stack([rows, candidate, position], axis=-1), (-1, 3))
        ones = ops.ones_like(indices[:, 0])
        counts = ops.scatter(indices, ones, (batch, num_candidates + 1, time))
        return counts[:, :num_candidates] > 0

    def compute_output_shape(self, input_shape: Any) -> tuple:
        return (input_shape[0][0], input_shape[2][1], input_shape[1][1])

    def compute_output_spec(self, inputs: Any) -> keras.KerasTensor:
        shape = self.compute_output_shape([each.shape for each in inputs])
        return keras.KerasTensor(shape, dtype="bool")

    def compute_mask(self, inputs: Any, mask: Any = None) -> None:
        return None
