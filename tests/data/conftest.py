"""Small examples that several tests of `keras_cgru.data` share."""

import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from keras_cgru.data import BucketLayout, Example, ReaderDataset, Vocabulary

# 60 documents of 40 lengths, the scenario of a public bug report.
LENGTHS = [3 + n % 40 for n in range(60)]


@pytest.fixture
def make_example() -> Callable[..., Example]:
    """Makes an example from strings; the first document word is the answer."""

    def make(text: str, question: str = "who", /, **changes: object) -> Example:
        tokens = tuple(text.split())
        fields = {
            "id": "example",
            "document": tokens,
            "query": tuple(question.split()),
            "candidates": tuple((word,) for word in dict.fromkeys(tokens)),
            "answer": tokens[:1],
        }
        return Example(**(fields | changes))

    return make


@pytest.fixture
def sized_examples(make_example) -> Callable[[list[int]], list[Example]]:
    """Makes one example for each document length, all tokens distinguishable."""

    def make(lengths: list[int]) -> list[Example]:
        random = np.random.default_rng(0)
        examples = []
        for index, length in enumerate(lengths):
            words = [f"w{index}", *(f"w{n}" for n in random.integers(30, size=length))]
            examples.append(
                make_example(
                    " ".join(words[:length]),
                    " ".join(["q"] * (1 + index % 11)),
                    id=f"example-{index}",
                )
            )
        return examples

    return make


@pytest.fixture
def official_data() -> Path:
    """The folder with the official files; skips where there is none."""
    folder = os.environ.get("KERAS_CGRU_DATA", "")
    if not folder:
        pytest.skip("KERAS_CGRU_DATA is not set: the official files are not here")
    if not (Path(folder) / "lambada-dataset").is_dir():
        pytest.skip(f"KERAS_CGRU_DATA={folder} holds no lambada-dataset/")
    return Path(folder)


@pytest.fixture
def make_dataset(sized_examples) -> Callable[..., ReaderDataset]:
    """Makes a data set of documents of 40 lengths, or of those given."""

    def make(lengths=LENGTHS, batch_size=8, num_buckets=4, **changes):
        examples = sized_examples(lengths)
        layout = BucketLayout.from_examples(examples, num_buckets)
        vocabulary = Vocabulary.build(examples)
        return ReaderDataset(examples, vocabulary, layout, batch_size, **changes)

    return make
