"""LAMBADA's splits, and the shapes of their batches. The passages are made up."""

import pytest

from keras_cgru.data import BatchShape
from keras_cgru.data.lambada.source import DEVELOPMENT_FILE, TEST_FILE
from keras_cgru.data.lambada.splits import load_splits


def passage(number, length):
    """A usable passage; its document has `length` tokens."""
    words = " ".join(f"w{n}" for n in range(length - 4))
    return f"ann{number} saw {words} . then she met ann{number}"


@pytest.fixture
def make_files(tmp_path):
    def make(development, test):
        for name, lengths in ((DEVELOPMENT_FILE, development), (TEST_FILE, test)):
            lines = [passage(n, length) for n, length in enumerate(lengths)]
            (tmp_path / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
        return str(tmp_path)

    return make


def test_test_passages_shape_no_batch_of_training(make_files):
    lengths = [10, 20, 30, 40, 50, 60] * 4
    short = load_splits(make_files(lengths, [10, 12]))
    long = load_splits(make_files(lengths, [10, 300]))
    assert short.layout == long.layout
    assert short.test_layout == short.layout
    assert long.layout.shapes[-1].document_length < 300
    added = long.test_layout.shapes[-1]
    assert added.document_length >= 300
    # Documents and queries of the other shapes are as they were.
    for shape, of_test in zip(
        long.layout.shapes, long.test_layout.shapes, strict=False
    ):
        assert shape[:2] == of_test[:2]
    assert all(long.layout.bucket_of(e) is not None for e in long.validation.examples)


def test_all_simulated_stories_share_one_shape():
    splits = load_splits(simulated=True)
    assert splits.layout.shapes == (BatchShape(88, 16, 32),)
    assert splits.test_layout == splits.layout
