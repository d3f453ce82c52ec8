"""The three splits of a data set as batches for a reader that points at its answers."""

from __future__ import annotations

from typing import NamedTuple

import keras

from keras_cgru.data import (
    BucketLayout,
    ReaderDataset,
    ReadResult,
    Splits,
    Vocabulary,
)
from keras_cgru.data.reader_inputs import PLAIN, ReaderInputs


class ReaderDatasets(NamedTuple):
    """What a reader is trained on, chosen by, and tested on."""

    train: ReaderDataset
    validation: ReaderDataset
    test: ReaderDataset


def reader_datasets(
    splits: Splits,
    vocabulary: Vocabulary,
    batch_size: int,
    seed: int,
    inputs: ReaderInputs = PLAIN,
) -> ReaderDatasets:
    """Serves the splits.

    All three before the first update: what they refuse should not show after an hour.

    Args:
        splits: The examples; shapes of batches come from training and validation.
        vocabulary: Gives the word ids.
        batch_size: Examples in an update.
        seed: Of the order of the training examples.
        inputs: Which inputs are served, in which form.

    Raises:
        ValueError: See `ReaderDataset`.
    """

    def serve(
        result: ReadResult, layout: BucketLayout, shuffle_seed: int | None = None
    ) -> ReaderDataset:
        return ReaderDataset(
            result.examples,
            vocabulary,
            layout,
            batch_size,
            shuffle_seed=shuffle_seed,
            # Several devices share each batch alike.
            full_batches=keras.distribution.distribution() is not None,
            inputs=inputs,
        )

    known = [*splits.train.examples, *splits.validation.examples]
    layout = inputs.layout(splits.layout, known)
    test_layout = inputs.layout(splits.test_layout, [*known, *splits.test.examples])

    return ReaderDatasets(
        train=serve(splits.train, layout, seed),
        validation=serve(splits.validation, layout),
        test=serve(splits.test, test_layout),
    )
