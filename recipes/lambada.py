"""Trains a Gated-Attention reader with Coref-GRU layers on LAMBADA.

    python recipes/lambada.py                                   # works offline
    KERAS_CGRU_DATA=/path/to/data python recipes/lambada.py     # the real passages
    python recipes/lambada.py --recurrence gru --seed 2
    python recipes/lambada.py --resume

LAMBADA is read as reading comprehension: the last sentence without its last word is
the query, all before it the document, the last word the answer, and the document's
words but those of a stop list are the candidates (Chu et al., 2017). Without the
official training novels, which may not be redistributed, the reader trains on the
development passages, a tenth of them held out, and is tested on all test passages.
Without any data it trains on stories that the package simulates, and says so.

A run folder holds all that a run gives. Results: docs/results/lambada-dev-trained.md.
"""

from __future__ import annotations

import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from keras_cgru import training
from keras_cgru.command_line import run_command
from keras_cgru.coref import Resolver
from keras_cgru.coref.annotating.inputs.stored_annotations import StoredAnnotations
from keras_cgru.data.lambada.asker import resolver_of
from keras_cgru.data.lambada.splits import LambadaSplits, load_splits
from keras_cgru.evaluation import trivial_accuracies
from keras_cgru.files import input_file, write_json

if TYPE_CHECKING:  # Keras must not be imported before its backend is chosen.
    import keras
    import numpy as np

Link = Literal["names", "nouns", "pronouns", "speakers"]
LINKS: tuple[Link, ...] = ("names", "nouns", "pronouns", "speakers")
# Seconds a compiled shape and an update take at 3 layers, 64 units, batches of 32.
COSTS = {"jax": (12, 0.13), "tensorflow": (10, 0.16)}
# In what a resumed run may differ from the run that it goes on from.
MAY_CHANGE = (
    "data_dir simulated epochs update_freq readings embeddings run_dir resume".split()
)
# What TensorBoard's HParams need not tell runs apart by.
NO_HPARAMS = {*MAY_CHANGE, "annotations", "gradient_norm"} - {"epochs"}


@dataclass(frozen=True)
class Settings:
    """Train and test a Gated-Attention reader on LAMBADA."""

    data_dir: str | None = None
    """Folder with lambada-dataset/ and glove/. Default: KERAS_CGRU_DATA, the download
    cache, the official archive, simulated stories."""
    simulated: bool = False
    """Train on simulated stories even where the real passages are at hand."""
    backend: Literal["jax", "tensorflow"] | None = None
    """Keras backend. Default: KERAS_BACKEND, or one that is installed."""
    recurrence: Literal["coref_gru", "gru", "gru_onehot"] = "coref_gru"
    """The recurrent layers; gru_onehot is a GRU that reads one-hot clusters."""
    units: int = 64
    """Size of the state in each direction; even."""
    layers: int = 3
    """Number of gated-attention layers."""
    num_clusters: int = 15
    """Coreference clusters kept for each passage."""
    resolver: Literal["exact", "sieve", "random"] = "exact"
    """Who finds them in LAMBADA; random links as many tokens as exact, any tokens."""
    links: tuple[Link, ...] = LINKS
    """The mentions that the sieve links."""
    annotations: tuple[str, ...] = ()
    """Parquet files of tools/annotate.py to take the clusters from, no resolver."""
    dropout: float = 0.3
    """Rate of the dropout after each gating."""
    epochs: int = 8
    """Passes over the training passages."""
    batch_size: int = 32
    """Passages in an update."""
    learning_rate: float = 0.001
    """Of Adam."""
    clip_norm: float = 10.0
    """Gradients are scaled down to this norm."""
    train_embeddings: bool = False
    """Whether the word vectors are trained too."""
    share_memory: bool = True
    """One memory for document and query; only a Coref-GRU has a memory."""
    threads: int = 2
    """Threads to compute with, on any number of cores: the last digits of all figures
    depend on them."""
    seed: int = 1
    """Of the initial weights, dropout, order and held-out passages."""
    limit: int | None = None
    """Read only so many passages of each file."""
    update_freq: int = 10
    """Updates between two points of the TensorBoard curves."""
    readings: int = 3
    """Validation passages of which TensorBoard shows a few times what the reader did,
    as pictures and text. 0 saves the time to compile and to draw."""
    gradient_norm: bool = False
    """TensorBoard also shows the norm of the gradients. The compiled update is then
    another one, and may round otherwise."""
    embeddings: bool = False
    """TensorBoard's Projector shows the word vectors of the best epoch's model."""
    run_dir: str | None = None
    """Where the run's files go. Default: runs/lambada/ and a name of its own."""
    resume: bool = False
    """Go on with the run in --run-dir, or with the last one of these settings."""


def run(settings: Settings) -> None:
    training.check_options(settings)
    backend, threads = training.start(settings.backend, settings.threads, tuple(COSTS))
    splits = load_splits(
        data_dir=settings.data_dir,
        simulated=settings.simulated,
        limit=settings.limit,
        num_clusters=settings.num_clusters,
        resolver=make_resolver(settings),
    )
    print(splits.summary())
    if splits.label == "simulated":
        print("They know their clusters: no resolver and no annotations are used.")
    name = f"{splits.label}-{settings.recurrence}-{backend}-{settings.seed}"
    folder = training.RunFolder.choose(
        settings.run_dir, Path("runs", "lambada", name), settings.resume
    )
    with folder.locked():
        asked = asdict(settings) | {"backend": backend, "threads": threads}
        config = training.config("lambada", asked, splits)
        if settings.resume:
            folder.check_resumed(config, MAY_CHANGE)
        print(f"Run folder: {folder.path}")
        if not folder.finished(settings.epochs):
            folder.write_config(config)
            training.show_config(folder)
            train_and_test(settings, splits, folder)
    training.report_run(folder, "passages")


def make_resolver(settings: Settings) -> Resolver:
    if settings.annotations:
        return StoredAnnotations(
            input_file(path, "annotations") for path in settings.annotations
        )
    return resolver_of(asdict(settings))


def train_and_test(
    settings: Settings, splits: LambadaSplits, folder: training.RunFolder
) -> None:
    """Fits the reader and tests the best epoch's model once."""
    import keras

    vocabulary, embeddings = splits.vocabulary_and_embeddings(settings.seed)
    vocabulary.save(folder.vocabulary)
    served = training.reader_datasets(
        splits, vocabulary, settings.batch_size, settings.seed
    )
    keras.utils.set_random_seed(settings.seed)
    shape, update = COSTS[keras.backend.backend()]
    size = settings.layers / 3 * settings.batch_size / 32 * settings.units / 64
    readings = training.ReadingPart(
        training.handful(splits.validation.examples, settings.readings),
        vocabulary,
        training.few_epochs(settings.epochs),
        labels={"data": splits.caution or splits.label},
    )
    fitted = training.fit_epochs(
        build(settings, embeddings),
        *(served.train, served.validation, folder),
        *(settings.epochs, settings.update_freq),
        seconds=(shape * settings.layers / 3, update * size),
        parts=[readings] if settings.readings else [],
        gradient_norm=settings.gradient_norm,
    )
    print(f"Testing the best epoch's model on {splits.test.num_used} passages.")
    model = keras.models.load_model(folder.best_model)
    metrics = {
        "recipe": "lambada",
        "model": settings.recurrence,
        "seed": settings.seed,
        **training.evaluate_reader(model, served.test, splits, folder),
        **fitted,
        "trivial": trivial_accuracies(splits.test.examples, splits.test.num_total),
    }
    hparams = {k: v for k, v in asdict(settings).items() if k not in NO_HPARAMS}
    hparams |= {"data": splits.label, "backend": keras.backend.backend()}
    updates = settings.epochs * len(served.train)
    training.show_results(folder, hparams, metrics, updates)
    if settings.embeddings:
        training.show_embeddings(folder, model, vocabulary, splits.train.examples)
    # Last: a run with metrics is a finished one.
    write_json(folder.metrics, metrics)


def build(settings: Settings, embeddings: np.ndarray) -> keras.Model:
    import keras

    from keras_cgru.metrics import answer_accuracy
    from keras_cgru.models import draw_weights, ga_reader

    model = ga_reader(
        *embeddings.shape,
        recurrence=settings.recurrence,
        units=settings.units,
        num_layers=settings.layers,
        num_clusters=settings.num_clusters,
        dropout=settings.dropout,
        embeddings=embeddings,
        trainable_embeddings=settings.train_embeddings,
        share_memory=settings.share_memory and settings.recurrence == "coref_gru",
        logits=True,
    )
    draw_weights(model, settings.seed)
    model.compile(
        keras.optimizers.Adam(settings.learning_rate, clipnorm=settings.clip_norm),
        keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        weighted_metrics=[keras.metrics.MeanMetricWrapper(answer_accuracy, "accuracy")],
    )
    return model


def main() -> int:
    return run_command(
        *(run, Settings),
        name="lambada.py: error",
        description=__doc__ and __doc__.partition("\n\n")[0],
        interrupted="Stopped. Finished epochs are kept; go on with --resume.",
        outlives_pipe=True,
    )


if __name__ == "__main__":
    sys.exit(main())
