"""What a reader does with examples, as readings to look at."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice

import numpy as np

from keras_cgru.data import BatchShape, Example, Vocabulary
from keras_cgru.data.data_parallel import num_batch_parts
from keras_cgru.data.reader_inputs import PLAIN, ReaderInputs
from keras_cgru.inspection import Answer, Reading, reading_of_example
from keras_cgru.models import ReaderProbe, ReaderTrace
from keras_cgru.training.answers import probabilities_of

# The words and the probability of each answer that an output speaks of.
Answers = Callable[[np.ndarray, Example], Sequence[tuple[tuple[str, ...], float]]]
# Each shape is compiled: so there are few.
DOCUMENT_MULTIPLE, OTHER_MULTIPLE = 32, 16
# Of a batch, padding included; texts so long that it would hold more are read alone.
MAX_TOKENS = 2**18


def candidates_with_shares(
    probabilities: np.ndarray, example: Example
) -> list[tuple[tuple[str, ...], float]]:
    """`Answers` of a reader that chooses one of the example's candidates."""
    shares = probabilities[: len(example.candidates)].tolist()
    return list(zip(example.candidates, shares, strict=True))


def read_examples(
    probe: ReaderProbe,
    vocabulary: Vocabulary,
    examples: Iterable[Example],
    answers: Answers = candidates_with_shares,
    batch_size: int = 32,
    gold: bool = True,
    labels: Mapping[str, str] | None = None,
    inputs: ReaderInputs = PLAIN,
) -> Iterator[Reading]:
    """Reads examples and gives what the reader made of each, in their order.

    Args:
        probe: Of a reader that gives logits.
        vocabulary: Gives the word ids.
        examples: Any number; read as they are needed.
        answers: How a row of the output is read.
        batch_size: Examples read at once.
        gold: Whether an example's answer is known to be right; if not it is left out.
        labels: See `Reading`.
        inputs: In which form the reader takes examples.

    Raises:
        ValueError: `batch_size` is below 1.

    Yields:
        Readings with alpha by layer and direction. One of an output that is no number
        has answers of probability 0 and says so in its labels.
    """
    if batch_size < 1:
        raise ValueError(f"`batch_size` must be at least 1. Received: {batch_size}")
    for batch in _batches(examples, batch_size):
        # One row, or a full batch: the number of rows is part of a shape.
        rows, parts = 1 if len(batch) == 1 else batch_size, num_batch_parts()
        rows = -(-rows // parts) * parts  # Devices share them alike.
        filled = batch + batch[:1] * (rows - len(batch))
        encoded = [inputs.encode(each, vocabulary) for each in filled]
        served, _ = inputs.collate(encoded, _common_shape(filled, inputs))
        trace = probe({name: served[name] for name in probe.input_names})
        probabilities = probabilities_of(trace.output)
        for row, example in enumerate(batch):
            reading = _reading(example, trace, row, probabilities[row], answers, labels)
            yield reading if gold else replace(reading, gold=None)


def _batches(examples: Iterable[Example], batch_size: int) -> Iterator[list[Example]]:
    examples = iter(examples)
    while batch := list(islice(examples, batch_size)):
        if _common_shape(batch, PLAIN).document_length * batch_size <= MAX_TOKENS:
            yield batch
        else:
            yield from ([each] for each in batch)


def _reading(
    example: Example,
    trace: ReaderTrace,
    row: int,
    probabilities: np.ndarray,
    answers: Answers,
    labels: Mapping[str, str] | None,
) -> Reading:
    labels = dict(labels or {})
    attention = trace.attention[row]
    if not np.isfinite(probabilities).all():
        labels["warning"] = "the reader's output is no number"
        probabilities, attention = np.zeros_like(probabilities), attention[:0]
    positions = dict(
        zip(example.candidates, example.candidate_positions(), strict=True)
    )
    points = probabilities.ndim == 1 and trace.points_at_mentions
    scored = [
        Answer(words, share, positions.get(words, ()) if points else ())
        for words, share in answers(probabilities, example)
    ]
    return reading_of_example(
        example,
        answers=scored,
        attention=attention.tolist(),
        alpha=_alpha_of(trace.document_alpha, row),
        query_alpha=_alpha_of(trace.query_alpha, row),
        labels=labels,
    )


def _alpha_of(
    alpha: Mapping[int, Mapping[str, np.ndarray]], row: int
) -> dict[tuple[str, str], list[float]]:
    return {
        (str(layer), direction): values[row].astype("float64").tolist()
        for layer, directions in alpha.items()
        for direction, values in directions.items()
    }


def _common_shape(examples: Sequence[Example], inputs: ReaderInputs) -> BatchShape:
    """Padded lengths that hold all of them."""
    largest = map(max, zip(*map(inputs.shape_of, examples), strict=True))
    multiples = (DOCUMENT_MULTIPLE, *[OTHER_MULTIPLE] * 3)
    shape = BatchShape(*map(_padded, largest, multiples))
    return shape if inputs.occurrences else shape._replace(num_occurrences=0)


def _padded(length: int, multiple: int) -> int:
    """A length in steps that double with it: texts of any length have few shapes."""
    while length > 8 * multiple:
        multiple *= 2
    return max(1, -(-length // multiple)) * multiple
