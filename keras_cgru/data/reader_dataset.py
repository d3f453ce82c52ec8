"""Examples as batches of few shapes, in an order that an epoch fixes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import keras
import numpy as np

from keras_cgru.data.batch_shape import BatchShape
from keras_cgru.data.bucket_layout import BucketLayout
from keras_cgru.data.data_parallel import check_batch_sizes
from keras_cgru.data.encoded_example import EncodedExample
from keras_cgru.data.epoch_counter import EpochCounter
from keras_cgru.data.example import Example
from keras_cgru.data.reader_inputs import PLAIN, ReaderInputs
from keras_cgru.data.vocabulary import Vocabulary

Transform = Callable[[EncodedExample, np.random.Generator], EncodedExample]


class ReaderDataset(keras.utils.PyDataset):
    """Serves every example once an epoch, batched by length.

    The examples are ordered by bucket and cut into chunks of `batch_size`; the one
    chunk that may be smaller comes from the smallest bucket. A chunk is padded to the
    bucket of its largest member, so there are at most `num_buckets + 1` shapes and
    they are the same in every epoch. With `full_batches` there are `num_buckets`: the
    small chunk is filled up with an example of its own, at weight 0.

    With a seed the examples are shuffled within their bucket and then the chunks, by
    a generator seeded with `(shuffle_seed, epoch)`: a resumed run that starts at
    epoch 5 sees what an uninterrupted one sees there. `fit` moves the epoch on by
    itself from `initial_epoch`. It cannot know of one that a callback chooses, as
    `keras.callbacks.BackupAndRestore` does, of a pass that `evaluate` or `predict`
    makes over the same object, nor of `steps_per_epoch`: pass `epoch_callback()` to
    `fit` in the first two cases, and leave out `steps_per_epoch`. Call `fit` with
    `shuffle=False`: by default Keras shuffles the batches once more, in its own way.

    The first two batches of an epoch have the smallest and the largest shape:
    TensorFlow's trainer infers from these two which dimensions vary, and memory that
    does not suffice shows at once.

    Args:
        examples: The examples, at least one.
        vocabulary: Gives the word ids.
        layout: The shapes, of these examples or of other splits, too.
        batch_size: Examples a batch.
        shuffle_seed: Seed of the order, 0 or more; None keeps one order, by bucket.
        initial_epoch: The epoch that `fit` begins with.
        transform: Changes an example each time it is served, for training; seeded by
            `(shuffle_seed, epoch, example)`, so it needs a `shuffle_seed`.
        answers: For a softmax head, the answer of each example: int32, `(examples,)`
            or `(examples, length)`. The inputs then leave out the candidates. None
            serves the position of the right candidate.
        full_batches: Whether every batch has `batch_size` rows, as
            `keras.distribution.DataParallel` needs it.
        unit_weights: Whether the examples of full batches weigh exactly 1; see below.
        inputs: Which inputs are served, in which form.
        workers, use_multiprocessing: Only 1 and False; Keras sets them on other data
            sets. Its workers fetch batches before it says which epoch they are for,
            and hand out again what they had fetched when one was broken off.

    Batches:
        `(inputs, answers)` as `keras_cgru.data.collate` describes them, and with
        `full_batches` float32 weights, `(batch,)` or `(batch, 1)` for answers of
        several places; measure with `weighted_metrics`. A row that fills a batch up
        weighs 0 and gives no gradient. Keras divides a loss by all rows, so every
        example weighs `rows / examples` of the epoch, a little above 1: loss and
        metrics are then means over the examples, and gradients are larger by that
        much. With `unit_weights` a gradient is the sum over the batch's examples
        divided by `batch_size`, and metrics are exact counts; but the loss that Keras
        reports is too low by `examples / rows`.

    Raises:
        ValueError: A number is out of range, an example fits no bucket, there are
            not as many answers as examples, or the devices of the active
            `keras.distribution` cannot share a batch; the last at the beginning of an
            epoch, too.

    Example:

    ```python
    layout = BucketLayout.from_examples(train + validation)
    vocabulary = Vocabulary.build(train)
    dataset = ReaderDataset(train, vocabulary, layout, batch_size=32, shuffle_seed=0)
    model.fit(
        dataset, epochs=3, shuffle=False, callbacks=[dataset.epoch_callback()]
    )
    ```
    """

    def __init__(
        self,
        examples: Sequence[Example],
        vocabulary: Vocabulary,
        layout: BucketLayout,
        batch_size: int,
        shuffle_seed: int | None = None,
        initial_epoch: int = 0,
        transform: Transform | None = None,
        answers: np.ndarray | None = None,
        full_batches: bool = False,
        unit_weights: bool = False,
        inputs: ReaderInputs = PLAIN,
        workers: int = 1,
        use_multiprocessing: bool = False,
    ) -> None:
        super().__init__()
        self.workers, self.use_multiprocessing = workers, use_multiprocessing
        if not examples:
            raise ValueError("`examples` must hold at least one. Received: none")
        if batch_size < 1:
            raise ValueError(f"`batch_size` must be at least 1. Received: {batch_size}")
        if transform is not None and shuffle_seed is None:
            raise ValueError(
                "`transform` must come with a `shuffle_seed`. Received: None"
            )
        if answers is not None and len(answers) != len(examples):
            raise ValueError(
                f"`answers` must hold one entry an example ({len(examples)}). "
                f"Received: {len(answers)}"
            )
        self.batch_size = batch_size
        self.shuffle_seed = shuffle_seed
        self.transform = transform
        self.full_batches = full_batches
        self.unit_weights = unit_weights
        self._answers = answers
        self.layout = layout
        self._inputs = inputs
        self._examples = [inputs.encode(each, vocabulary) for each in examples]
        buckets = np.array([layout.bucket_of(example) for example in examples])
        # Buckets are contiguous in this order, whatever is shuffled within them.
        self._by_bucket = np.argsort(buckets, kind="stable")
        self._buckets = buckets
        first = len(examples) % batch_size
        self._cuts = list(range(first, len(examples), batch_size))
        if first == 0:
            self._cuts = self._cuts[1:]
        self._counter = EpochCounter(len(self))
        self.set_epoch(initial_epoch)
        self._check_devices()

    def __len__(self) -> int:
        """Number of batches an epoch."""
        return len(self._cuts) + 1

    def __getitem__(self, index: int) -> tuple:
        chunk = self._chunks[index]
        self._counter.serve(index)
        rows = self._fill(chunk)
        examples = [self._example(each) for each in rows]
        inputs, answers = self._inputs.collate(examples, self._shape(chunk))
        if self._answers is not None:
            inputs = {n: v for n, v in inputs.items() if "candidate" not in n}
            answers = self._answers[rows]
        if not self.full_batches:
            return inputs, answers
        weights = (np.arange(len(rows)) < len(chunk)).astype("float32")
        if not self.unit_weights:
            weights *= len(self) * self.batch_size / len(self._examples)
        # As many axes as the answers have, or Keras would not broadcast them.
        return inputs, answers, weights.reshape(-1, *[1] * (answers.ndim - 1))

    @property
    def workers(self) -> int:
        """Always 1."""
        return 1

    @workers.setter
    def workers(self, value: int) -> None:
        # 0 is 1 to Keras.
        if value not in (0, 1):
            raise ValueError(
                "`workers` must be 1: Keras would fetch batches of the next epoch "
                f"before it begins. Received: workers={value}"
            )

    @property
    def use_multiprocessing(self) -> bool:
        """Always False."""
        return False

    @use_multiprocessing.setter
    def use_multiprocessing(self, value: bool) -> None:
        if value:
            raise ValueError(
                "`use_multiprocessing` must be False: another process would not know "
                f"the epoch. Received: use_multiprocessing={value}"
            )

    @property
    def epoch(self) -> int:
        """The epoch whose order is served."""
        return self._counter.epoch

    @property
    def order(self) -> np.ndarray:
        """Indices of the examples in the order served this epoch.

        `(num_examples,)`; with `full_batches` one more for every row of weight 0.
        """
        return np.concatenate([self._fill(chunk) for chunk in self._chunks])

    @property
    def shapes(self) -> tuple[tuple[int, BatchShape], ...]:
        """Batch size and padded lengths of each batch of this epoch."""
        return tuple(
            (len(self._fill(chunk)), self._shape(chunk)) for chunk in self._chunks
        )

    def set_epoch(self, epoch: int) -> None:
        """Serves the order of this epoch from now on.

        Raises:
            ValueError: `epoch` is negative.
        """
        if epoch < 0:
            raise ValueError(f"`epoch` must be at least 0. Received: {epoch}")
        self._counter.epoch = epoch
        self._chunks = self._plan(epoch)

    def epoch_callback(self) -> keras.callbacks.Callback:
        """A callback for `fit` that sets the epoch to the one that `fit` begins."""
        return keras.callbacks.LambdaCallback(
            on_epoch_begin=lambda epoch, logs: self.set_epoch(epoch)
        )

    def on_epoch_begin(self) -> None:
        self._check_devices()
        self._counter.begin()

    def on_epoch_end(self) -> None:
        if self._counter.end():
            self.set_epoch(self._counter.epoch)

    def _check_devices(self) -> None:
        check_batch_sizes({size for size, _ in self.shapes})

    def _fill(self, chunk: np.ndarray) -> np.ndarray:
        if not self.full_batches:
            return chunk
        # The last one again and again.
        return np.pad(chunk, (0, self.batch_size - len(chunk)), mode="edge")

    def _example(self, index: int) -> EncodedExample:
        example = self._examples[index]
        if self.transform is None:
            return example
        # One generator an example: what it draws depends on no other example.
        assert self.shuffle_seed is not None
        seed = (self.shuffle_seed, self._counter.epoch, index)
        return self.transform(example, np.random.default_rng(seed))

    def _plan(self, epoch: int) -> list[np.ndarray]:
        """The example indices of each batch of an epoch, in the order served."""
        if self.shuffle_seed is None:
            chunks = np.split(self._by_bucket, self._cuts)
        else:
            random = np.random.default_rng((self.shuffle_seed, epoch))
            # Sorting random numbers by bucket shuffles within each bucket.
            keys = random.random(len(self._buckets))
            chunks = np.split(np.lexsort((keys, self._buckets)), self._cuts)
            chunks = [chunks[index] for index in random.permutation(len(chunks))]
        return self._extremes_first(chunks)

    def _extremes_first(self, chunks: list[np.ndarray]) -> list[np.ndarray]:
        shapes = [self._shape(chunk) for chunk in chunks]
        smallest, largest = shapes.index(min(shapes)), shapes.index(max(shapes))
        if smallest == largest:
            return chunks
        rest = [
            chunk
            for index, chunk in enumerate(chunks)
            if index not in (smallest, largest)
        ]
        return [chunks[smallest], chunks[largest], *rest]

    def _shape(self, chunk: np.ndarray) -> BatchShape:
        return self.layout.shapes[self._buckets[chunk].max()]
