"""One cell of the bAbI tables: one model on one task with one seed."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from babi_training import Training

from keras_cgru import data, training
from keras_cgru.coref import SieveResolver, singular
from keras_cgru.data.babi import BabiSplits, BabiTask, babi_examples
from keras_cgru.data.babi.asker import BabiAsker
from keras_cgru.data.babi.models import MODELS
from keras_cgru.data.babi.results.training_options import options_that_differ
from keras_cgru.data.splits import SPLITS
from keras_cgru.files import write_json

if TYPE_CHECKING:
    import keras

EMBEDDING_DIM = 64
# The same numbers for every task, so that a program is compiled once for all of them:
# rows of the embedding, clusters (the paper's number).
VOCABULARY_SIZE = 128
NUM_CLUSTERS = 13
PERFECT_LOSS = 0.002


@dataclass(frozen=True)
class BabiReaderCell:
    """What is trained on what.

    Args:
        model: A key of `MODELS`.
        splits: The questions of the task.
        seed: Of initial weights, dropout, order and names.
        dropped_mentions: Share of the mentions that lose their cluster.
        training: How.
        threads: How many compute it; None where that is not known.
    """

    model: str
    splits: BabiSplits
    seed: int
    dropped_mentions: float
    training: Training
    threads: int | None = None

    @property
    def name(self) -> str:
        """A path below the folder of all cells."""
        share = f"-dropped-{self.dropped_mentions:g}" if self.dropped_mentions else ""
        return f"{self.model}{share}/task-{self.splits.task:02d}/seed-{self.seed}"

    def config(self) -> dict[str, Any]:
        return {
            "recipe": "babi",
            "model": self.model,
            "task": self.splits.task,
            "seed": self.seed,
            "dropped_mentions": self.dropped_mentions,
            "training": asdict(self.training),
            "data": self.splits.provenance(),
            "threads": self.threads,
        }

    def hparams(self) -> dict[str, Any]:
        """What TensorBoard's HParams tells cells apart by, as tools/report.py does."""
        return {
            "model": self.model,
            "task": self.splits.task,
            "seed": self.seed,
            "dropped_mentions": self.dropped_mentions,
            **asdict(self.training),
        }

    def differences(self, stored: Mapping[str, Any]) -> Iterable[tuple[str, Any, Any]]:
        from keras import backend

        asked = self.config()
        was, now = stored.get("training", {}), asked["training"]
        for name in options_that_differ(was, now):
            yield name, was.get(name), now.get(name)
        was, now = stored.get("data", {}), asked["data"]
        for name in now:
            # Where the same files were found does not matter.
            if name != "found_by" and not _same(was.get(name), now[name]):
                yield name, was.get(name), now[name]
        # A file made by hand may lack both; earlier versions had as many threads as
        # there were cores.
        for name, value in (("backend", backend.backend()), ("threads", self.threads)):
            if stored.get(name) not in (None, value):
                yield name, stored[name], value


def _same(was: Any, now: Any) -> bool:
    # Earlier versions kept the hashes of all tasks' files.
    if isinstance(was, dict) and isinstance(now, dict):
        return all(was.get(name) == value for name, value in now.items())
    return bool(was == now)


class CellTrainer:
    """Trains cells; each takes over the programs of the one before, where they fit.

    Args:
        readings: So many validation questions are shown in TensorBoard, with what the
            reader did. Each cell then compiles a program more.
        embeddings: Whether TensorBoard's Projector gets the word vectors.
    """

    def __init__(self, readings: int = 0, embeddings: bool = False) -> None:
        self.readings, self.embeddings = readings, embeddings
        # Made in the process that trains: it holds Keras models.
        self._last: training.LastModel | None = None

    def __call__(
        self,
        cell: BabiReaderCell,
        folder: training.RunFolder,
        tell: Callable[[str], None],
    ) -> dict[str, Any]:
        """Trains, selects by validation and tests once; gives the cell's metrics."""
        import keras

        cpu_began = time.process_time()
        keras.utils.clear_session()
        keras.utils.set_random_seed(cell.seed)
        folder.write_config({**cell.config(), **training.environment()})
        training.show_config(folder)
        task, how = make_task(cell), cell.training
        vocabulary = build_vocabulary(task)
        vocabulary.save(folder.vocabulary)
        write_json(folder.reader, asker(cell, task).to_dict())
        options = reader_options(cell, task, vocabulary)
        train, validation, test = (
            dataset(cell, task, vocabulary, split) for split in SPLITS
        )
        new = build(options, how, cell.seed)
        self._last = self._last or training.LastModel()
        with self._last.reused_for(new, (options, how)) as model:
            fitted = training.fit_updates(
                *(model, train, validation, folder, how.updates, tell),
                patience=how.patience,
                average=how.average is not None,
                perfect_loss=PERFECT_LOSS,
                parts=self._parts(cell, task, vocabulary, how.updates // len(train)),
            )
            if self.embeddings:
                examples = task.train.examples
                training.show_embeddings(folder, model, vocabulary, examples)
            tested = training.evaluate_reader(
                *(model, test, task, folder),
                decode=answer_of(task, how.by_word),
                separator=",",
            )
        metrics = {
            "recipe": "babi",
            "model": cell.model,
            "task": task.task,
            "seed": cell.seed,
            "dropped_mentions": cell.dropped_mentions,
            "head": task.head,
            "clusters": task.max_clusters,
            **tested,
            "skipped": {name: dict(getattr(task, name).skipped) for name in SPLITS},
            "validation_by": task.validation_by,
            "validation_accuracy": fitted.validation_accuracy,
            "validation_loss": fitted.validation_loss,
            "updates": fitted.updates,
            "best_update": fitted.best_update,
            "train_seconds": round(fitted.seconds, 1),
            # Of this cell alone, compiling and testing included: other work on the
            # same cores does not count.
            "cpu_seconds": round(time.process_time() - cpu_began, 1),
            "examples_per_second": round(fitted.examples_per_second, 1),
        }
        training.show_results(folder, cell.hparams(), metrics, fitted.updates)
        # Last: a cell with metrics is a finished one.
        write_json(folder.metrics, metrics)
        return metrics

    def _parts(
        self,
        cell: BabiReaderCell,
        task: BabiTask,
        vocabulary: data.Vocabulary,
        epochs: int,
    ) -> list[Any]:
        if not self.readings:
            return []
        return [
            training.ReadingPart(
                training.handful(task.validation.examples, self.readings),
                vocabulary,
                training.few_epochs(epochs),
                asker(cell, task).answers,
                {"model": cell.model, "data": task.caution or task.label},
            )
        ]


def make_task(cell: BabiReaderCell) -> BabiTask:
    """The task's examples, with the coreference that the cell's model is to see."""
    how = cell.training
    task = babi_examples(
        cell.splits,
        normalise=singular if how.normalise else None,
        normalise_text=how.normalise,
        by_word=how.by_word,
    )
    if how.resolver == "sieve":
        task = task.with_clusters(SieveResolver(), NUM_CLUSTERS)
    task = task.with_clusters(
        random_links=MODELS[cell.model].random_links,
        dropped_mentions=cell.dropped_mentions,
    )
    for split in SPLITS:
        if not getattr(task, split).examples:
            raise ValueError(
                f"task {task.task}: each split must have a usable question. Received: "
                f"{split} {getattr(task, split).summary()}"
            )
    return task


def build_vocabulary(task: BabiTask) -> data.Vocabulary:
    """The words of the training questions; the buckets of unknown words fill it up."""
    words = data.Vocabulary.build(task.train.examples).words
    return data.Vocabulary(words, num_oov=max(1, VOCABULARY_SIZE - 1 - len(words)))


def dataset(
    cell: BabiReaderCell, task: BabiTask, vocabulary: data.Vocabulary, split: str
) -> data.ReaderDataset:
    examples, how = getattr(task, split).examples, cell.training
    options: dict[str, Any] = {}
    if split == "train":
        # An answer's words, unless it is a place in the passage, must stay.
        words = set() if task.head == "attention_sum" else set(task.answer_words)
        groups = task.kinds if how.same_kind else [task.entities]
        kinds = [[name for name in group if name not in words] for group in groups]
        options["shuffle_seed"] = cell.seed
        options["transform"] = data.EntityRenaming(
            vocabulary, kinds, how.rename, unknown=how.unknown_names
        )
    if task.head == "softmax":
        options["answers"] = np.array(
            [task.encode_answer(e.answer, how.by_word) for e in examples], "int32"
        )
    return data.ReaderDataset(
        examples,
        vocabulary,
        task.test_layout if split == "test" else task.layout,
        how.batch_size,
        full_batches=True,
        # Cells compare by exact counts, and with those of earlier versions.
        unit_weights=True,
        **options,
    )


def answer_of(task: BabiTask, by_word: bool) -> Any:
    """How the output of the task's head is read."""
    if task.head == "attention_sum" or not by_word:
        return training.best_candidate
    return lambda scores, example: task.decode_answer(scores, example.candidates)


def asker(cell: BabiReaderCell, task: BabiTask) -> BabiAsker:
    """What asks the cell's reader about other stories."""
    how = cell.training
    return BabiAsker(
        task.head,
        task.classes,
        task.answer_words,
        task.entities,
        by_word=how.by_word,
        normalise=how.normalise,
        resolver=SieveResolver() if how.resolver == "sieve" else None,
        num_clusters=NUM_CLUSTERS,
        random_links=MODELS[cell.model].random_links,
        dropped_mentions=cell.dropped_mentions,
    )


def reader_options(
    cell: BabiReaderCell, task: BabiTask, vocabulary: data.Vocabulary
) -> dict[str, Any]:
    """What `ga_reader` is called with for this cell."""
    how, row = cell.training, MODELS[cell.model]
    options = {
        "vocabulary_size": len(vocabulary),
        "embedding_dim": EMBEDDING_DIM,
        "recurrence": row.recurrence,
        "units": how.units,
        "num_layers": how.layers or row.layers,
        "num_clusters": max(NUM_CLUSTERS, task.max_clusters),
        "dropout": how.dropout,
        "share_memory": row.recurrence == "coref_gru"
        and how.share_memory in ("always", task.head),
        "query_word_layer": 1 if how.query_words else None,
        "logits": True,
    }
    if task.head == "softmax":
        options |= {"answer": "softmax", "num_classes": len(task.classes)}
        if how.by_word:
            # One class more: no word at this place.
            options["num_classes"] = len(task.answer_words) + 1
            options["answer_length"] = task.answer_length
    return options


def build(options: Mapping[str, Any], how: Training, seed: int) -> keras.Model:
    """A cell's reader, drawn by its seed and compiled."""
    import keras

    from keras_cgru.metrics import answer_metrics
    from keras_cgru.models import draw_weights, ga_reader

    shape = options["vocabulary_size"], options["embedding_dim"]
    random = np.random.default_rng(seed)
    embeddings = random.normal(scale=how.word_stddev, size=shape)
    model = ga_reader(**options, embeddings=embeddings.astype("float32"))
    draw_weights(model, seed)
    rate = keras.optimizers.schedules.ExponentialDecay(
        how.learning_rate, how.halve_every, 0.5, staircase=True
    )
    averaging: dict[str, Any] = {}
    if how.average is not None:
        averaging = {"use_ema": True, "ema_momentum": how.average}
    model.compile(
        keras.optimizers.Adam(rate, clipnorm=how.clip_norm, **averaging),
        keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        weighted_metrics=answer_metrics("answer_length" in options),
    )
    return model
