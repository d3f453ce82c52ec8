"""What a reader does with a handful of examples, in TensorBoard."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Mapping, Sequence
from itertools import islice
from typing import Any, Literal

import keras
import numpy as np

from keras_cgru.callbacks.summary_values import (
    Value,
    histogram_value,
    image_value,
    scalar_values,
    text_value,
)
from keras_cgru.data import Example, Vocabulary
from keras_cgru.data.reader_inputs import PLAIN, ReaderInputs
from keras_cgru.inspection import Passage, Reading, as_image, as_text
from keras_cgru.models import ReaderProbe
from keras_cgru.training.readings import (
    Answers,
    candidates_with_shares,
    read_examples,
)

# TensorBoard shows a picture some 350 pixels wide, unless it is clicked at.
IMAGE_WIDTH = 480
MAX_TOKENS = 100
DESCRIPTION = (
    "Same colour and number: the same entity. Frames: what a mention carried of the "
    "answer's probability. Bars: 1 - alpha, what came from the mention before."
)


class ReadingPart:
    """Gives `TensorBoard` pictures and texts of how a reader reads a few examples.

    For each example `reading/N/image` and `reading/N/text`; over all of them
    `alpha/...` and `alpha_mean/...` by text, layer and direction: alpha on the tokens
    that have an antecedent. Without Coref-GRU layers there is no alpha.

    The first time compiles a program of the reader for their shape.

    Args:
        examples: The examples, the same all along.
        vocabulary: Gives the word ids.
        epochs: At the end of which, 0 for the first; None: of each.
        answers: How a row of the reader's output is read.
        labels: What else is to be said with each example.
        inputs: In which form the reader takes examples.
    """

    folder: Literal["train", "validation"] = "validation"

    def __init__(
        self,
        examples: Sequence[Example],
        vocabulary: Vocabulary,
        epochs: Container[int] | None = None,
        answers: Answers = candidates_with_shares,
        labels: Mapping[str, str] | None = None,
        inputs: ReaderInputs = PLAIN,
    ) -> None:
        self.inputs = inputs
        self.examples, self.vocabulary = tuple(examples), vocabulary
        self.epochs, self.answers = epochs, answers
        self.labels = dict(labels or {})
        self._probe: tuple[keras.Model, ReaderProbe] | None = None

    def values(
        self, model: keras.Model, epoch: int, logs: Mapping[str, Any]
    ) -> Sequence[Value]:
        if self.epochs is not None and epoch not in self.epochs:
            return []
        readings = self.read(model, {"epoch": str(epoch + 1)})
        return [*_shown(readings), *alpha_values(readings)]

    def read(self, model: keras.Model, labels: Mapping[str, str]) -> list[Reading]:
        """What the model makes of the examples now."""
        if self._probe is None or self._probe[0] is not model:
            self._probe = model, ReaderProbe(model)
        return list(
            read_examples(
                self._probe[1],
                self.vocabulary,
                self.examples,
                self.answers,
                batch_size=max(1, len(self.examples)),
                labels={**self.labels, **labels},
                inputs=self.inputs,
            )
        )


def handful(examples: Sequence[Example], count: int) -> list[Example]:
    """The first few examples in which coreference has something to do.

    Where there are not as many, the first of the others come after them.
    """
    linked = list(islice(filter(_is_linked, examples), count))
    others = (each for each in examples if not _is_linked(each))
    return linked + list(islice(others, count - len(linked)))


def alpha_values(readings: Sequence[Reading]) -> list[Value]:
    """Distribution and mean of alpha on linked tokens, by text, layer and direction."""
    found: dict[str, list[float]] = defaultdict(list)
    for reading in readings:
        for text in ("document", "query"):
            passage: Passage = getattr(reading, text)
            for (layer, direction), weights in passage.alpha.items():
                found[f"{text}/layer_{layer}/{direction}"] += [
                    weight for weight in weights if weight is not None
                ]
    linked = {name: weights for name, weights in found.items() if weights}
    means = {f"alpha_mean/{name}": float(np.mean(w)) for name, w in linked.items()}
    histograms = (histogram_value(f"alpha/{name}", w) for name, w in linked.items())
    return [*scalar_values(means), *(each for each in histograms if each is not None)]


def as_block(reading: Reading) -> str:
    """The reading's text as Markdown that is shown letter by letter."""
    # Indented and not fenced: LAMBADA's tokens are backquotes now and then.
    lines = as_text(reading, width=100, max_tokens=200).splitlines()
    return "\n".join(f"    {line}" for line in lines)


def _shown(readings: Sequence[Reading]) -> list[Value]:
    values = []
    for number, reading in enumerate(readings, start=1):
        png = as_image(reading, width=IMAGE_WIDTH, max_tokens=MAX_TOKENS)
        values.append(image_value(f"reading/{number}/image", png, DESCRIPTION))
        values.append(text_value(f"reading/{number}/text", as_block(reading)))
    return values


def _is_linked(example: Example) -> bool:
    clusters = [each for each in example.document_clusters if each]
    return len(set(clusters)) < len(clusters)
