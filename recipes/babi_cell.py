"""One cell of the bAbI tables: one model on one task with one seed.

`babi.py` runs many of them, one after another in processes that have chosen their
backend before this module is imported.
"""

from __future__ import annotations

import dataclasses
import functools
import math
import time
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import keras
import numpy as np
from babi_models import MODELS
from babi_reader import LastReader

from keras_cgru.callbacks import BestWeights, MetricsCSV, StopOnInterrupt, TensorBoard
from keras_cgru.coref import Resolver, SieveResolver
from keras_cgru.coref.perturb import drop_mentions, random_links
from keras_cgru.coref.text.inflection import singular
from keras_cgru.coref.token_clusters import token_clusters
from keras_cgru.data import BucketLayout, Example, ReaderDataset, Vocabulary
from keras_cgru.data.babi.examples import babi_examples
from keras_cgru.data.babi.splits import BabiSplits
from keras_cgru.data.babi.task import BabiTask
from keras_cgru.data.entity_renaming import EntityRenaming
from keras_cgru.evaluation import Accuracy, write_predictions
from keras_cgru.files import write_json
from keras_cgru.training import (
    RunFolder,
    environment,
    predict_answers,
)

EMBEDDING_DIM = 64
# The same numbers for every task, so that a program is compiled once for all of them:
# rows of the embedding, clusters (the paper's number), lengths that batches may have.
VOCABULARY_SIZE = 128
NUM_CLUSTERS = 13
_LONGER = (128, 160, 192, 256, 320, 384, 512, 768, 1408)
DOCUMENT_LENGTHS = (*range(16, 112, 16), *_LONGER)
LENGTH_MULTIPLE = 8  # of queries and candidates
# Validated so often; a pass over 100 questions costs as much as some ten updates.
UPDATES_BETWEEN_VALIDATIONS = 100
PERFECT_LOSS = 0.002
SPLITS = ("train", "validation", "test")
# Perturbed coreference is the same for every model and seed.
PERTURBATION_SEED = 2018

LAST_READER = LastReader()


@dataclass(frozen=True)
class Cell:
    """What is trained on what.

    Args:
        model: A key of `MODELS`.
        task: Number of the task.
        seed: Of initial weights, dropout, order and names.
        dropped_mentions: Share of the mentions that lose their cluster.
        training: How: a `babi_models.Training`, as a dictionary.
        data: For the config: where the questions come from.
        threads: For the config: how many compute it; None where that is not fixed.
    """

    model: str
    task: int
    seed: int
    dropped_mentions: float
    training: dict[str, Any]
    data: dict[str, Any]
    threads: int | None = None

    @property
    def name(self) -> str:
        """A path below the folder of all cells."""
        share = f"-dropped-{self.dropped_mentions:g}" if self.dropped_mentions else ""
        return f"{self.model}{share}/task-{self.task:02d}/seed-{self.seed}"

    def config(self) -> dict[str, Any]:
        return {"recipe": "babi", **dataclasses.asdict(self)}


def train_cell(
    cell: Cell, splits: BabiSplits, folder: RunFolder, tell: Callable[[str], None]
) -> dict[str, Any]:
    """Trains, selects by validation and tests once; gives the cell's metrics."""
    cpu_began = time.process_time()
    keras.utils.clear_session()
    keras.utils.set_random_seed(cell.seed)
    folder.write_config({**cell.config(), **environment()})
    task = make_task(cell, splits)
    vocabulary = build_vocabulary(task)
    vocabulary.save(folder.vocabulary)
    options = reader_options(cell, task, vocabulary)
    model = LAST_READER.take(options, cell.training, cell.seed)
    train = dataset(cell, task, vocabulary, "train")
    epochs = math.ceil(cell.training["updates"] / len(train))
    frequency = min(epochs, max(1, round(UPDATES_BETWEEN_VALIDATIONS / len(train))))
    best = BestWeights(PERFECT_LOSS, cell.training["patience"])
    averaging = []
    if cell.training["average"] is not None:
        averaging = [keras.callbacks.SwapEMAWeights(swap_on_epoch=True)]
    began = time.perf_counter()
    history = model.fit(
        train,
        validation_data=dataset(cell, task, vocabulary, "validation"),
        validation_freq=frequency,
        # Whole rounds: the last epoch is validated, too.
        epochs=frequency * math.ceil(epochs / frequency),
        callbacks=[
            StopOnInterrupt(),
            train.epoch_callback(),
            MetricsCSV(folder.epochs),
            # A cell begins anew: what it logged when it was stopped goes.
            TensorBoard(folder.path, "epoch", resume=True),
            Progress(tell),
            *averaging,
            best,
        ],
        # Keras would shuffle the batches anew.
        shuffle=False,
        verbose=0,
    )
    seconds = time.perf_counter() - began
    model.save(folder.best_model)
    predictions = predict_answers(
        model,
        dataset(cell, task, vocabulary, "test"),
        task.test.examples,
        lambda scores, example: task.decode_answer(scores, example.candidates),
        separator=",",
    )
    write_predictions(folder.predictions, predictions)
    accuracy = Accuracy.count((p.correct for p in predictions), task.test.num_total)
    assert best.best is not None
    epochs = len(history.history["loss"])
    metrics = {
        "recipe": "babi",
        "model": cell.model,
        "task": cell.task,
        "seed": cell.seed,
        "dropped_mentions": cell.dropped_mentions,
        "backend": keras.backend.backend(),
        "head": task.head,
        "clusters": task.max_clusters,
        "parameters": model.count_params(),
        "num_examples": accuracy.num_total,
        "num_used": accuracy.num_used,
        "accuracy_used": accuracy.used,
        "accuracy_overall": accuracy.overall,
        "skipped": {name: dict(getattr(task, name).skipped) for name in SPLITS},
        "validation_by": splits.validation_by,
        "validation_accuracy": best.best[0],
        "validation_loss": best.best[1],
        "updates": epochs * len(train),
        "best_update": (best.best_epoch or 0) * len(train),
        "train_seconds": round(seconds, 1),
        # Of this cell alone, compiling and testing included: other work on the same
        # cores does not count.
        "cpu_seconds": round(time.process_time() - cpu_began, 1),
        "examples_per_second": round(epochs * task.train.num_used / seconds, 1),
    }
    # Last: a cell with metrics is a finished one.
    write_json(folder.metrics, metrics)
    LAST_READER.keep(options, cell.training, model)
    return metrics


def make_task(cell: Cell, splits: BabiSplits) -> BabiTask:
    """The task's examples, with the coreference that the cell's model is to see."""
    normalise = cell.training["normalise"]
    task = babi_examples(
        splits,
        normalise=singular if normalise else None,
        normalise_text=normalise,
        by_word=cell.training["by_word"],
    )
    if cell.training["resolver"] == "sieve":
        task = _with_examples(task, functools.partial(resolve, SieveResolver()))
    if cell.dropped_mentions or MODELS[cell.model].random_links:
        task = _with_examples(task, functools.partial(perturb, cell))
    for split in SPLITS:
        if not getattr(task, split).examples:
            raise ValueError(
                f"task {task.task}: each split must have a usable question. Received: "
                f"{split} {getattr(task, split).summary()}"
            )
    return task


def _with_examples(task: BabiTask, change: Callable[[Example], Example]) -> BabiTask:
    changed = {
        split: dataclasses.replace(result, examples=tuple(map(change, result.examples)))
        for split in SPLITS
        for result in [getattr(task, split)]
    }
    return dataclasses.replace(task, **changed)


def resolve(resolver: Resolver, example: Example) -> Example:
    """The example with the clusters that a resolver finds."""
    length = len(example.document)
    annotation = resolver.resolve(
        example.document + example.query,
        [*example.metadata["sentence_starts"], length],
    )
    ids = token_clusters(annotation, NUM_CLUSTERS).ids
    return dataclasses.replace(
        example, document_clusters=ids[:length], query_clusters=ids[length:]
    )


def perturb(cell: Cell, example: Example) -> Example:
    """The same for every seed, so that the questions of a run compare."""
    name = zlib.crc32(example.id.encode())
    random = np.random.default_rng((PERTURBATION_SEED, name))
    ids = example.document_clusters + example.query_clusters
    if MODELS[cell.model].random_links:
        ids = random_links(ids, random)
    ids = drop_mentions(ids, cell.dropped_mentions, random)
    length = len(example.document)
    return dataclasses.replace(
        example, document_clusters=ids[:length], query_clusters=ids[length:]
    )


def build_vocabulary(task: BabiTask) -> Vocabulary:
    """The words of the training questions; the buckets of unknown words fill it up."""
    words = Vocabulary.build(task.train.examples).words
    return Vocabulary(words, num_oov=max(1, VOCABULARY_SIZE - 1 - len(words)))


def bucket_layout(task: BabiTask, split: str) -> BucketLayout:
    """More shapes for longer passages: to compile one costs some hundred updates.

    The lengths of the test questions change no training: those that are longer than
    all others have a shape of their own.
    """
    known = task.train.examples + task.validation.examples
    longest = max(len(example.document) for example in known)
    num_buckets = sum(longest > limit for limit in (0, 50, 75, 100, 150))
    num_buckets += 3 * (longest > 400)
    lengths = LENGTH_MULTIPLE, DOCUMENT_LENGTHS
    layout = BucketLayout.from_examples(known, num_buckets, *lengths)
    return layout.extended(task.test.examples, *lengths) if split == "test" else layout


def reader_options(
    cell: Cell, task: BabiTask, vocabulary: Vocabulary
) -> dict[str, Any]:
    """What `ga_reader` is called with for this cell."""
    training, row = cell.training, MODELS[cell.model]
    options = {
        "vocabulary_size": len(vocabulary),
        "embedding_dim": EMBEDDING_DIM,
        "recurrence": row.recurrence,
        "units": training["units"],
        "num_layers": training["layers"] or row.layers,
        "num_clusters": max(NUM_CLUSTERS, task.max_clusters),
        "dropout": training["dropout"],
        "share_memory": row.recurrence == "coref_gru"
        and training["share_memory"] in ("always", task.head),
        "query_word_layer": 1 if training["query_words"] else None,
        "logits": True,
    }
    if task.head == "softmax":
        options |= {"answer": "softmax", "num_classes": len(task.classes)}
        if training["by_word"]:
            # One class more: no word at this place.
            options["num_classes"] = len(task.answer_words) + 1
            options["answer_length"] = task.answer_length
    return options


def dataset(
    cell: Cell, task: BabiTask, vocabulary: Vocabulary, split: str
) -> ReaderDataset:
    examples = getattr(task, split).examples
    training = cell.training
    options: dict[str, Any] = {}
    if split == "train":
        # An answer's words, unless it is a place in the passage, must stay.
        words = set() if task.head == "attention_sum" else set(task.answer_words)
        groups = task.kinds if training["same_kind"] else [task.entities]
        kinds = [[n for n in group if n not in words] for group in groups]
        options["shuffle_seed"] = cell.seed
        options["transform"] = EntityRenaming(
            vocabulary, kinds, training["rename"], unknown=training["unknown_names"]
        )
    if task.head == "softmax":
        by_word = training["by_word"]
        options["answers"] = np.array(
            [task.encode_answer(e.answer, by_word) for e in examples], "int32"
        )
    return ReaderDataset(
        examples,
        vocabulary,
        bucket_layout(task, split),
        training["batch_size"],
        full_batches=True,
        # Cells compare by exact counts, and with those of earlier versions.
        unit_weights=True,
        **options,
    )


class Progress(keras.callbacks.Callback):
    """Tells every few seconds how far a training has come."""

    SECONDS = 15.0

    def __init__(self, tell: Callable[[str], None]) -> None:
        super().__init__()
        self.tell, self.last = tell, time.perf_counter()

    def on_epoch_end(self, epoch: int, logs: dict[str, Any] | None = None) -> None:
        if time.perf_counter() - self.last < self.SECONDS:
            return
        self.last = time.perf_counter()
        values = ", ".join(f"{k} {float(v):.3f}" for k, v in (logs or {}).items())
        self.tell(f"epoch {epoch + 1}/{self.params['epochs']}: {values}")
