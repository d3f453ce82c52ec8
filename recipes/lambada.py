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

import dataclasses
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import tyro
from common import (
    LINKS,
    Link,
    check_counts,
    choose_backend,
    make_resolver,
    refuse,
)
from threads import fix_threads

if TYPE_CHECKING:  # Keras must not be imported before its backend is chosen.
    import keras

    from keras_cgru.data import ReaderDataset
    from keras_cgru.data.lambada.splits import LambadaSplits
    from keras_cgru.training import RunFolder

# Seconds a compiled shape and an update take at 3 layers, 64 units, batches of 32.
COSTS = {"jax": (12, 0.13), "tensorflow": (10, 0.16)}
# What a resumed run must share with the run that it goes on from.
FIXED_ON_RESUME = (
    "recurrence units layers num_clusters resolver links annotations dropout "
    "batch_size learning_rate clip_norm train_embeddings share_memory seed backend "
    "limit"
).split()


@dataclass(frozen=True)
class Settings:
    """Train and test a Gated-Attention reader on LAMBADA."""

    data_dir: str | None = None
    """Folder with lambada-dataset/ and glove/. Default: KERAS_CGRU_DATA, the download
    cache, the official archive, simulated stories."""
    simulated: bool = False
    """Train on simulated stories even where the real passages are at hand."""
    backend: Literal["jax", "tensorflow"] | None = None
    """Keras backend. Default: KERAS_BACKEND, or the first that is installed."""
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
    run_dir: str | None = None
    """Where the run's files go. Default: runs/lambada/ and a name of its own."""
    resume: bool = False
    """Go on with the run in --run-dir, or with the last one of these settings."""


def main() -> int:
    # Progress should show at once in a file or a pipe, too.
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    settings = tyro.cli(Settings, description=__doc__.split("\n\n")[0])
    try:
        settings = check(settings)
        return run(settings)
    except (ValueError, OSError, ImportError) as error:
        print(f"lambada.py: error: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\nStopped. Finished epochs are kept; go on with --resume.")
        return 130


def check(settings: Settings) -> Settings:
    """Refuses impossible settings before anything is read; chooses the backend."""
    check_counts(settings, "units layers num_clusters epochs batch_size limit")
    check_counts(settings, "update_freq threads")
    if settings.units % 2:
        refuse("units", "even", settings.units)
    for name in ("learning_rate", "clip_norm"):
        if not 0 < (value := getattr(settings, name)) < float("inf"):
            refuse(name, "a positive number", value)
    if not 0 <= settings.dropout < 1:
        refuse("dropout", "in [0, 1)", settings.dropout)
    if not 0 <= settings.seed < 2**32:
        refuse("seed", "in [0, 2**32)", settings.seed)
    if settings.simulated and settings.data_dir is not None:
        refuse("data_dir", "left out with --simulated", settings.data_dir)
    settings = dataclasses.replace(settings, backend=choose_backend(settings.backend))
    fix_threads(settings.threads)
    return settings


def run(settings: Settings) -> int:
    from keras_cgru.callbacks.event_files import require_tensorboard
    from keras_cgru.data.lambada.splits import load_splits
    from keras_cgru.training import RunFolder, keep_memory

    require_tensorboard()  # Its absence should leave no half-made run folder.
    keep_memory()
    splits = load_splits(
        data_dir=settings.data_dir,
        simulated=settings.simulated,
        limit=settings.limit,
        num_clusters=settings.num_clusters,
        resolver=make_resolver(settings),
    )
    print(splits.summary())
    name = f"{splits.kind}-{settings.recurrence}-{settings.backend}-{settings.seed}"
    folder = RunFolder.choose(
        settings.run_dir, Path("runs", "lambada", name), settings.resume
    )
    with folder.locked():
        finish(settings, splits, folder)
    report(folder)
    return 0


def finish(settings: Settings, splits: LambadaSplits, folder: RunFolder) -> None:
    """Does what is not done yet of the run in a folder."""
    from keras_cgru.training import environment

    config = {
        "recipe": "lambada",
        "settings": dataclasses.asdict(settings),
        "data": splits.provenance(),
        **environment(),
    }
    if settings.resume:
        fixed = [f"settings.{name}" for name in FIXED_ON_RESUME]
        folder.check_config(config, ["recipe", *fixed, "data.sha256"])
        check_threads(folder, settings.threads)
        finished = folder.finished_epochs()
        if finished > settings.epochs:
            wanted = f"at least {finished}, the epochs that the run has finished"
            refuse("epochs", wanted, settings.epochs)
    print(f"Run folder: {folder.path}")
    if not folder.finished(settings.epochs):
        folder.write_config(config)
        train(settings, splits, folder)
        evaluate(settings, splits, folder)


def check_threads(folder: RunFolder, threads: int) -> None:
    from keras_cgru.files import read_json

    if "threads" in read_json(folder.config)["settings"]:
        folder.check_config({"settings": {"threads": threads}}, ["settings.threads"])
    else:
        print(f"It began with an unknown number of threads and goes on with {threads}.")


def train(settings: Settings, splits: LambadaSplits, folder: RunFolder) -> None:
    """Fits the reader, keeping the best model and all that a resume needs."""
    import keras

    from keras_cgru.callbacks import (
        BestModel,
        ExactResume,
        MetricsCSV,
        StopOnInterrupt,
        TensorBoard,
    )

    keras.utils.set_random_seed(settings.seed)
    model = build(settings, splits, folder)
    resume = ExactResume(folder.backup)
    first = resume.restore(model)
    training = dataset(settings, splits, folder, "train", first)
    validation = dataset(settings, splits, folder, "validation")
    callbacks = [
        StopOnInterrupt(),
        training.epoch_callback(),
        BestModel(folder.best_model, folder.epochs),
        MetricsCSV(folder.epochs),
        TensorBoard(folder.path, settings.update_freq, resume=settings.resume),
        resume,
    ]
    print(f"{settings.recurrence}: {model.count_params():,} parameters.")
    print(forecast(settings, training, settings.epochs - first))
    if first:
        print(f"Going on behind epoch {first} of {settings.epochs}.")
    model.fit(
        training,
        validation_data=validation,
        initial_epoch=first,
        epochs=settings.epochs,
        callbacks=callbacks,
        # Keras would shuffle the batches anew, and otherwise in a resumed run.
        shuffle=False,
        verbose="auto" if sys.stdout.isatty() else 2,
    )


def build(settings: Settings, splits: LambadaSplits, folder: RunFolder) -> keras.Model:
    import keras

    from keras_cgru.models import draw_weights, ga_reader

    vocabulary, embeddings = splits.vocabulary_and_embeddings(settings.seed)
    vocabulary.save(folder.vocabulary)
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
        metrics=["accuracy"],
    )
    return model


def dataset(
    settings: Settings,
    splits: LambadaSplits,
    folder: RunFolder,
    split: str,
    epoch: int = 0,
) -> ReaderDataset:
    from keras_cgru.data import ReaderDataset, Vocabulary

    examples = splits.test.examples if split == "test" else getattr(splits, split)
    return ReaderDataset(
        examples,
        Vocabulary.load(folder.vocabulary),
        splits.test_layout if split == "test" else splits.layout,
        settings.batch_size,
        shuffle_seed=settings.seed if split == "train" else None,
        initial_epoch=epoch,
    )


def forecast(settings: Settings, training: ReaderDataset, epochs: int) -> str:
    """A rough guess, from runs on two CPU cores (docs/results)."""
    compilation, update = COSTS[settings.backend or "jax"]
    size = settings.batch_size / 32 * settings.units / 64
    seconds: float = update * size * epochs * len(training)
    seconds += compilation * len(set(training.shapes))
    minutes = max(1, round(seconds * settings.layers / 3 / 60))
    return (
        f"{epochs} epochs of {len(training)} updates: "
        f"roughly {minutes} min on two CPU cores."
    )


def evaluate(settings: Settings, splits: LambadaSplits, folder: RunFolder) -> None:
    """Tests the best epoch's model once; stores predictions and metrics."""
    import keras

    from keras_cgru.callbacks import read_metrics
    from keras_cgru.evaluation import Accuracy, trivial_accuracies, write_predictions
    from keras_cgru.files import write_json
    from keras_cgru.training import predict_answers

    print(f"Testing the best epoch's model on {splits.test.num_used} passages.")
    model = keras.models.load_model(folder.best_model)
    test = dataset(settings, splits, folder, "test")
    predictions = predict_answers(model, test, splits.test.examples)
    write_predictions(folder.predictions, predictions)
    accuracy = Accuracy.count((p.correct for p in predictions), splits.test.num_total)
    epochs = read_metrics(folder.epochs)
    seconds = [row["seconds"] for row in epochs]
    metrics = {
        "recipe": "lambada",
        "data": splits.kind,
        "model": settings.recurrence,
        "backend": settings.backend,
        "seed": settings.seed,
        "epochs": settings.epochs,
        "best_epoch": max(epochs, key=lambda row: row["val_accuracy"])["epoch"],
        "parameters": model.count_params(),
        "num_examples": accuracy.num_total,
        "num_used": accuracy.num_used,
        "accuracy_used": accuracy.used,
        "accuracy_overall": accuracy.overall,
        "validation_accuracy": max(row["val_accuracy"] for row in epochs),
        "trivial": trivial_accuracies(splits.test.examples, splits.test.num_total),
        # With compilation and validation; the rate is that of the fastest epoch.
        "train_seconds": round(sum(seconds), 1),
        "examples_per_second": round(len(splits.train) / min(seconds), 1),
    }
    write_json(folder.metrics, metrics)


def report(folder: RunFolder) -> None:
    from keras_cgru.files import read_json

    metrics = read_json(folder.metrics)
    used, total = metrics["num_used"], metrics["num_examples"]
    simulated = " (SIMULATED stories)" if metrics["data"] == "simulated" else ""
    print(f"\nTest accuracy{simulated}: {used:,} usable / all {total:,} passages")
    rows = {
        metrics["model"]: (metrics["accuracy_used"], metrics["accuracy_overall"]),
        **{
            f"{name} candidate": (each["used"], each["overall"])
            for name, each in metrics["trivial"].items()
        },
    }
    for name, (of_used, of_all) in rows.items():
        print(f"  {name:25} {of_used:.4f} / {of_all:.4f}")
    print(
        f"Trained {metrics['epochs']} epochs in {metrics['train_seconds']:.0f} s, "
        f"{metrics['examples_per_second']:.0f} examples/s; best epoch "
        f"{metrics['best_epoch']}.\nCurves: tensorboard --logdir {folder.path}"
    )


if __name__ == "__main__":
    sys.exit(main())
