"""The attention-sum answer head."""

from __future__ import annotations

from typing import Any

import keras
from keras import ops

from keras_cgru.layers.check_shapes import check_shapes
from keras_cgru.layers.masked_softmax import (
    masked_logsumexp,
    masked_softmax,
    wide_dtype,
)

# Logit of a candidate that cannot be the answer: its probability is exactly 0.
NO_CANDIDATE = -1e9
# Probability of every candidate of a row in which none is mentioned: a loss divides by
# the sum of a row, which must not be 0.
NOTHING_MENTIONED = 1e-30


@keras.saving.register_keras_serializable(package="keras_cgru")
class AttentionSum(keras.layers.Layer):
    """Scores candidates by the attention on their mentions in the document.

        s_t  = softmax_t(d_t . q)          over the mentions of all candidates
        P(c) = sum of s_t over the mentions of c

    Args:
        logits: If True, gives log P(c) up to a constant of the row instead of P(c),
            for a loss with `from_logits=True`: exact also where P(c) underflows.

    Call arguments:
        inputs: `[document, query, candidate_positions]`: `(batch, time, dim)`,
            `(batch, dim)` and boolean `(batch, candidates, time)`, True where the
            document's token belongs to a mention of the candidate.
        mask: `[document_mask, None, candidate_mask]`, `(batch, time)` and
            `(batch, candidates)`, False at padding; each may be None.

    Output shape:
        `(batch, candidates)`, float32 or wider.

    Masking:
        Padding of the document carries no attention. Candidates that are padding, or
        that the document does not mention, have probability exactly 0 (logit -1e9).
        A row without any such mention gives 1e-30 to each (equal logits), so that the
        loss of such a row is a number.

    Example:

    >>> document, query = np.ones((1, 3, 4)), np.ones((1, 4))
    >>> positions = np.array([[[True, False, True], [False, True, False]]])
    >>> AttentionSum()([document, query, positions])
    [[0.6666667, 0.3333333]]

    Reference:
        [Text Understanding with the Attention Sum Reader Network](
        https://aclanthology.org/P16-1086/) (Kadlec et al., 2016).
    """

    def __init__(self, logits: bool = False, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.logits = logits
        self.supports_masking = True

    def build(self, input_shape: Any) -> None:
        wanted = {
            "document": ("batch", "time", "dim"),
            "query": ("batch", "dim"),
            "candidate_positions": ("batch", "candidates", "time"),
        }
        check_shapes("AttentionSum", input_shape, wanted)
        self.built = True

    def call(self, inputs: Any, mask: Any = None) -> Any:
        document, query, positions = inputs
        scores = _scores(document, query)
        mentions = _mentions(positions, mask)
        logits, mentioned = masked_logsumexp(ops.expand_dims(scores, 1), mentions)
        if self.logits:
            return ops.where(mentioned, logits, NO_CANDIDATE)
        probabilities = masked_softmax(logits, mentioned)
        answered = ops.any(mentioned, axis=-1, keepdims=True)
        return ops.where(answered, probabilities, NOTHING_MENTIONED)

    def attention(self, inputs: Any, mask: Any = None) -> Any:
        """The weights of the document's tokens, `(batch, time)`, 0 beside the mentions.

        Where no token is a mention of two candidates, a candidate's probability is the
        sum over its mentions.

        Args:
            inputs, mask: As the layer is called.
        """
        document, query, positions = inputs
        mentioned = ops.any(_mentions(positions, mask), axis=1)
        return masked_softmax(_scores(document, query), mentioned)

    def compute_mask(self, inputs: Any, mask: Any = None) -> None:
        return None

    def compute_output_shape(self, input_shape: Any) -> tuple:
        return tuple(input_shape[2][:2])

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "logits": self.logits}


def _scores(document: Any, query: Any) -> Any:
    dtype = wide_dtype(document)
    return ops.sum(
        ops.cast(document, dtype) * ops.cast(ops.expand_dims(query, 1), dtype), axis=-1
    )


def _mentions(positions: Any, mask: Any) -> Any:
    """`(batch, candidates, time)`: real mentions of real candidates."""
    document_mask, _, candidate_mask = (None,) * 3 if mask is None else mask
    mentions = ops.cast(positions, "bool")
    if document_mask is not None:
        keep = ops.expand_dims(ops.cast(document_mask, "bool"), axis=1)
        mentions = ops.logical_and(mentions, keep)
    if candidate_mask is not None:
        keep = ops.expand_dims(ops.cast(candidate_mask, "bool"), axis=2)
        mentions = ops.logical_and(mentions, keep)
    return mentions
