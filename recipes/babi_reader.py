"""A cell's reader: built, drawn by the cell's seed and compiled.

To trace a training step takes seconds for each shape of a batch, as long as a hundred
updates do. A cell whose reader differs from the last one in its weights alone therefore
takes that over: it gets the new weights, optimizer and random states, and keeps its
programs.
"""

from __future__ import annotations

import json
from typing import Any

import keras
import numpy as np

from keras_cgru.metrics import whole_answer_accuracy, whole_answer_cross_entropy
from keras_cgru.models import draw_weights, ga_reader


class LastReader:
    """The reader that was trained last, for the next cell of the same kind.

    One alone: the programs of a reader of three layers take 200 MiB for each shape of
    a batch.
    """

    def __init__(self) -> None:
        self._kept: tuple[str, keras.Model] | None = None

    def take(
        self, options: dict[str, Any], training: dict[str, Any], seed: int
    ) -> keras.Model:
        """What `build` gives, with the programs of the last one where they fit."""
        # Taken out: one whose training fails half-way is not used again.
        kept, self._kept = self._kept, None
        new = build(options, training, seed)
        if kept is None or kept[0] != _key(options, training):
            return new
        become(kept[1], new)
        return kept[1]

    def keep(
        self, options: dict[str, Any], training: dict[str, Any], model: keras.Model
    ) -> None:
        """Keeps a reader that has been trained."""
        self._kept = _key(options, training), model


def _key(options: dict[str, Any], training: dict[str, Any]) -> str:
    return json.dumps([options, training], sort_keys=True)


def become(model: keras.Model, other: keras.Model) -> None:
    """Gives a compiled model all that another of its kind has but its programs."""
    # Built, an optimizer has its moments and the moving average of the weights.
    other.optimizer.build(other.trainable_variables)
    if not model.optimizer.built:
        model.optimizer.build(model.trainable_variables)
    for part, source in ((model, other), (model.optimizer, other.optimizer)):
        # With the random states of dropout, which are no weights.
        for variable, value in zip(part.variables, source.variables, strict=True):
            variable.assign(value)


def build(options: dict[str, Any], training: dict[str, Any], seed: int) -> keras.Model:
    shape = options["vocabulary_size"], options["embedding_dim"]
    random = np.random.default_rng(seed)
    embeddings = random.normal(scale=training["word_stddev"], size=shape)
    model = ga_reader(**options, embeddings=embeddings.astype("float32"))
    draw_weights(model, seed)
    rate = keras.optimizers.schedules.ExponentialDecay(
        training["learning_rate"], training["halve_every"], 0.5, staircase=True
    )
    averaging: dict[str, Any] = {}
    if training["average"] is not None:
        averaging = {"use_ema": True, "ema_momentum": training["average"]}
    model.compile(
        keras.optimizers.Adam(rate, clipnorm=training["clip_norm"], **averaging),
        keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        weighted_metrics=answer_metrics("answer_length" in options),
    )
    return model


def answer_metrics(several_words: bool) -> list[Any]:
    """Accuracy and cross-entropy of a question; the loss counts filled-up rows, too."""
    if not several_words:
        cross_entropy = keras.metrics.SparseCategoricalCrossentropy(
            "cross_entropy", from_logits=True
        )
        return ["accuracy", cross_entropy]
    wrap = keras.metrics.MeanMetricWrapper
    return [
        wrap(whole_answer_accuracy, name="accuracy"),
        wrap(whole_answer_cross_entropy, name="cross_entropy"),
    ]
