"""Batches of examples that a probe reads."""

import numpy as np
import pytest

from keras_cgru.data import Example, Vocabulary
from keras_cgru.models import ReaderTrace
from keras_cgru.training import readings


class Probe:
    """Reads nothing, and keeps the shapes of what it is given."""

    input_names = ["document", "candidate_mask"]

    def __init__(self):
        self.shapes = []

    def __call__(self, inputs):
        rows, length = inputs["document"].shape
        self.shapes.append((rows, length))
        zeros = np.zeros((rows, length), "float32")
        return ReaderTrace(
            output=np.zeros(inputs["candidate_mask"].shape, "float32"),
            attention=zeros,
            gated_attention={},
            document_alpha={},
            query_alpha={},
            document_linked={},
            query_linked={},
            points_at_mentions=True,
        )


def example(length):
    return Example(str(length), ("a",) * length, ("b",), (("a",),), ("a",))


def read(lengths, **options):
    probe, examples = Probe(), [example(length) for length in lengths]
    found = readings.read_examples(
        probe, Vocabulary.build(examples[:1]), iter(examples), **options
    )
    assert [reading.id for reading in found] == [str(length) for length in lengths]
    return probe.shapes


def test_texts_of_any_length_have_few_shapes():
    lengths = [*range(1, 257, 32), *np.geomspace(257, 5_000, 40).astype(int)]
    shapes = read(lengths, batch_size=1)
    assert len(set(shapes)) < 32
    assert all(
        0 <= padded - length <= max(32, length / 4)
        for length, (_, padded) in zip(lengths, shapes, strict=True)
    )


def test_texts_too_long_for_a_batch_are_read_alone(monkeypatch):
    assert read([5, 300, 7], batch_size=3) == [(3, 320)]
    monkeypatch.setattr(readings, "MAX_TOKENS", 3 * 300)
    assert read([5, 300, 7, 8, 9, 4], batch_size=3) == [
        (1, 32),
        (1, 320),
        (1, 32),
        (3, 32),
    ]


def test_a_batch_of_nothing_is_refused():
    with pytest.raises(ValueError, match="`batch_size` must be at least 1"):
        read([1], batch_size=0)
