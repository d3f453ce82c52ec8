"""The metrics that a reader is compiled with."""

from __future__ import annotations

import keras

from keras_cgru.metrics.answer_accuracy import answer_accuracy
from keras_cgru.metrics.whole_answer_accuracy import whole_answer_accuracy
from keras_cgru.metrics.whole_answer_cross_entropy import whole_answer_cross_entropy


def answer_metrics(several_words: bool = False) -> list[keras.metrics.Metric]:
    """`accuracy` and `cross_entropy` of an answer, for `compile(weighted_metrics=...)`.

    Beside the loss, which Keras divides by all rows of a batch, those that only fill
    it up included.

    Args:
        several_words: Whether the model has an output for each word of an answer.
    """
    wrap = keras.metrics.MeanMetricWrapper
    if several_words:
        return [
            wrap(whole_answer_accuracy, "accuracy"),
            wrap(whole_answer_cross_entropy, "cross_entropy"),
        ]
    cross_entropy = keras.metrics.SparseCategoricalCrossentropy
    return [
        wrap(answer_accuracy, "accuracy"),
        cross_entropy("cross_entropy", from_logits=True),
    ]
