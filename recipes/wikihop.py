"""Trains a Gated-Attention reader with Coref-GRU layers on WikiHop.

    python recipes/wikihop.py                                   # works offline
    KERAS_CGRU_DATA=/path/to/data python recipes/wikihop.py     # the real records
    python recipes/wikihop.py --train-size 1000 --recurrence gru --seed 2
    python recipes/wikihop.py --resume

A record is a relation, an entity, several texts and candidates; the reader chooses the
candidate that stands in this relation to the entity. It trains on the official training
records but for a twentieth, which validates, and is tested on the development records,
as those of the official test are not public. Without the files it trains on records
that the package simulates, and says so.

A run folder holds all that a run gives; tools/report.py makes tables of several.
"""

from __future__ import annotations

import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from keras_cgru import training
from keras_cgru.command_line import refuse, run_command
from keras_cgru.coref import Resolver
from keras_cgru.coref.annotating.inputs.stored_annotations import StoredAnnotations
from keras_cgru.data import CharacterVocabulary, ReaderInputs
from keras_cgru.data.wikihop.asker import resolver_of
from keras_cgru.data.wikihop.results import accuracy_of_run
from keras_cgru.data.wikihop.splits import WikiHopSplits, load_splits
from keras_cgru.data.wikihop.trivial import wikihop_trivial_accuracies
from keras_cgru.files import input_file, write_json

if TYPE_CHECKING:  # Keras must not be imported before its backend is chosen.
    import keras
    import numpy as np

    from keras_cgru.data import ReaderDataset

# Seconds a compiled shape and an update take at 3 layers, 64 units, 16 records of 200
# tokens.
COSTS = {"jax": (14, 0.3), "tensorflow": (12, 0.35)}
TOKENS = 200
# In what a resumed run may differ from the run that it goes on from.
MAY_CHANGE = (
    "data_dir simulated epochs update_freq readings embeddings run_dir resume".split()
)
# What TensorBoard's HParams need not tell runs apart by.
NO_HPARAMS = {*MAY_CHANGE, "annotations", "gradient_norm"} - {"epochs"}


@dataclass(frozen=True)
class Settings:
    """Train and test a Gated-Attention reader on WikiHop."""

    data_dir: str | None = None
    """Folder with qangaroo_v1.1/ and glove/. Default: KERAS_CGRU_DATA, simulated
    records."""
    simulated: bool = False
    """Train on simulated records even where the real ones are at hand."""
    max_hops: Literal[2, 3] = 2
    """Simulated questions take at most so many facts."""
    masked: bool = False
    """Read the files in which candidates are masked."""
    train_size: int | None = None
    """Train on so many records, the same for each recurrence. The paper has 1000, 5000
    and all. Default: all, or 1,024 simulated ones."""
    sample_seed: int | None = None
    """Of the sample. Default: the seed."""
    validation_size: int | None = None
    """Validate on so many at most of the records that are held out."""
    backend: Literal["jax", "tensorflow"] | None = None
    """Keras backend. Default: KERAS_BACKEND, or one that is installed."""
    recurrence: Literal["coref_gru", "gru", "gru_onehot"] = "coref_gru"
    """The recurrent layers; gru_onehot is a GRU that reads one-hot clusters."""
    units: int = 64
    """Size of the state in each direction; even."""
    layers: int = 3
    """Number of gated-attention layers."""
    num_clusters: int = 50
    """Coreference clusters kept for each record: those of candidates, and of what
    stands beside the head entity."""
    max_tokens: int = 2200
    """Documents are cut behind so many tokens."""
    mention_rule: Literal["whole", "any_word"] = "whole"
    """Whether a mention of a candidate is all of its words, or, as in the released
    code, each word of it."""
    resolver: Literal["sieve", "exact"] | None = None
    """Who finds the clusters. Default: sieve; simulated records know theirs."""
    annotations: tuple[str, ...] = ()
    """Parquet files of tools/annotate.py to take the clusters from, no resolver."""
    link_head: bool = False
    """Whether the head entity in the query has its cluster, too."""
    random_links: bool = False
    """Link as many tokens as the clusters do, but any tokens."""
    dropped_mentions: float = 0.0
    """The share of the mentions that lose their cluster."""
    characters: bool = True
    """Whether word vectors have vectors of the words' characters beside them."""
    query_words: Literal["first", "last", "none"] = "last"
    """The layer that is told which words stand in the query: the last, as in the
    released code, or the first, as the paper says."""
    dropout: float = 0.2
    """Rate of the dropout after each gating."""
    epochs: int = 6
    """Passes over the training records."""
    batch_size: int = 16
    """Records in an update."""
    learning_rate: float = 0.0005
    """Of Adam."""
    halve_every: int = 2500
    """Updates after which the learning rate is halved, again and again."""
    clip_norm: float = 10.0
    """Gradients are scaled down to this norm."""
    train_embeddings: bool = True
    """Whether the word vectors are trained too."""
    share_memory: bool = False
    """One memory for document and query; only a Coref-GRU has a memory."""
    threads: int = 2
    """Threads to compute with, on any number of cores: the last digits of all figures
    depend on them."""
    seed: int = 1
    """Of the initial weights, dropout, order and sample."""
    limit: int | None = None
    """Read only so many records of each file."""
    update_freq: int = 10
    """Updates between two points of the TensorBoard curves."""
    readings: int = 3
    """Validation records of which TensorBoard shows a few times what the reader did,
    as pictures and text. 0 saves the time to compile and to draw."""
    gradient_norm: bool = False
    """TensorBoard also shows the norm of the gradients. The compiled update is then
    another one, and may round otherwise."""
    embeddings: bool = False
    """TensorBoard's Projector shows the word vectors of the best epoch's model."""
    run_dir: str | None = None
    """Where the run's files go. Default: runs/wikihop/ and a name of its own."""
    resume: bool = False
    """Go on with the run in --run-dir, or with the last one of these settings."""


def run(settings: Settings) -> None:
    check(settings)
    backend, threads = training.start(settings.backend, settings.threads, tuple(COSTS))
    splits = splits_of(settings)
    print(splits.summary())
    size = "all" if settings.train_size is None else settings.train_size
    name = f"{splits.label}-{size}-{settings.recurrence}-{backend}-{settings.seed}"
    folder = training.RunFolder.choose(
        settings.run_dir, Path("runs", "wikihop", name), settings.resume
    )
    with folder.locked():
        asked = asdict(settings) | {"backend": backend, "threads": threads}
        config = training.config("wikihop", asked, splits)
        if settings.resume:
            folder.check_resumed(config, MAY_CHANGE)
        print(f"Run folder: {folder.path}")
        if not folder.finished(settings.epochs):
            folder.write_config(config)
            training.show_config(folder)
            train_and_test(settings, splits, folder)
    asked_with = '--document TEXTS --question "RELATION ENTITY"'
    training.report_run(folder, "records", asked_with)


def check(settings: Settings) -> None:
    training.check_options(settings)
    if settings.annotations and settings.resolver is not None:
        refuse("resolver", "left out with --annotations", settings.resolver)
    if settings.simulated and settings.masked:
        refuse("masked", "left out with --simulated", settings.masked)


def splits_of(settings: Settings) -> WikiHopSplits:
    seed = settings.seed if settings.sample_seed is None else settings.sample_seed
    splits = load_splits(
        data_dir=settings.data_dir,
        simulated=settings.simulated,
        limit=settings.limit,
        train_size=settings.train_size,
        seed=seed,
        num_clusters=settings.num_clusters,
        resolver=make_resolver(settings),
        max_tokens=settings.max_tokens,
        masked=settings.masked,
        mention_rule=settings.mention_rule,
        link_head=settings.link_head,
        validation_size=settings.validation_size,
        max_hops=settings.max_hops,
    )
    if not (settings.random_links or settings.dropped_mentions):
        return splits
    return splits.with_clusters(
        random_links=settings.random_links, dropped_mentions=settings.dropped_mentions
    )


def make_resolver(settings: Settings) -> Resolver | None:
    if settings.annotations:
        return StoredAnnotations(
            input_file(path, "annotations") for path in settings.annotations
        )
    if settings.resolver is None:
        return None
    return resolver_of(asdict(settings))


def train_and_test(
    settings: Settings, splits: WikiHopSplits, folder: training.RunFolder
) -> None:
    """Fits the reader and tests the best epoch's model once."""
    import keras

    vocabulary, embeddings = splits.vocabulary_and_embeddings(settings.seed)
    vocabulary.save(folder.vocabulary)
    inputs = reader_inputs(settings, splits, folder)
    served = training.reader_datasets(
        splits, vocabulary, settings.batch_size, settings.seed, inputs
    )
    keras.utils.set_random_seed(settings.seed)
    readings = training.ReadingPart(
        training.handful(splits.validation.examples, settings.readings),
        vocabulary,
        training.few_epochs(settings.epochs),
        labels={"data": splits.caution or splits.label},
        inputs=inputs,
    )
    fitted = training.fit_epochs(
        build(settings, embeddings, inputs.characters),
        *(served.train, served.validation, folder),
        *(settings.epochs, settings.update_freq),
        seconds=costs(settings, served.train),
        parts=[readings] if settings.readings else [],
        gradient_norm=settings.gradient_norm,
    )
    print(f"Testing the best epoch's model on {splits.test.num_used} records.")
    model = keras.models.load_model(folder.best_model)
    metrics = {
        "recipe": "wikihop",
        "model": settings.recurrence,
        "seed": settings.seed,
        **training.evaluate_reader(model, served.test, splits, folder),
        **fitted,
        "by_annotation": accuracy_of_run(folder.predictions, splits.test.annotations),
        "trivial": wikihop_trivial_accuracies(
            splits.test.examples, splits.test.num_total, splits.train.examples
        ),
    }
    hparams = {k: v for k, v in asdict(settings).items() if k not in NO_HPARAMS}
    hparams |= {"data": splits.label, "backend": keras.backend.backend()}
    updates = settings.epochs * len(served.train)
    training.show_results(folder, hparams, metrics, updates)
    if settings.embeddings:
        training.show_embeddings(folder, model, vocabulary, splits.train.examples)
    # Last: a run with metrics is a finished one.
    write_json(folder.metrics, metrics)


def reader_inputs(
    settings: Settings, splits: WikiHopSplits, folder: training.RunFolder
) -> ReaderInputs:
    """Lists of mentions, unknown words apart, and characters where they are wanted."""
    characters = None
    if settings.characters:
        characters = CharacterVocabulary.build(splits.train.examples)
        characters.save(folder.characters)
    return ReaderInputs(characters, occurrences=True, apart=True)


def costs(settings: Settings, train: ReaderDataset) -> tuple[float, float]:
    """Seconds that a compiled shape and an update take, roughly."""
    import keras

    shape, update = COSTS[keras.backend.backend()]
    lengths = [shape.document_length for _, shape in train.shapes]
    tokens = sum(lengths) / len(lengths) * settings.batch_size / 16 / TOKENS
    size = settings.layers / 3 * settings.units / 64
    return shape * settings.layers / 3, update * tokens * size


def build(
    settings: Settings, embeddings: np.ndarray, characters: CharacterVocabulary | None
) -> keras.Model:
    import keras

    from keras_cgru.metrics import answer_accuracy
    from keras_cgru.models import draw_weights, ga_reader

    layer = {"first": 1, "last": settings.layers, "none": None}[settings.query_words]
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
        query_word_layer=layer,
        num_characters=None if characters is None else len(characters),
        occurrences=True,
        logits=True,
    )
    draw_weights(model, settings.seed)
    rate = keras.optimizers.schedules.ExponentialDecay(
        settings.learning_rate, settings.halve_every, 0.5, staircase=True
    )
    model.compile(
        keras.optimizers.Adam(rate, clipnorm=settings.clip_norm),
        keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        weighted_metrics=[keras.metrics.MeanMetricWrapper(answer_accuracy, "accuracy")],
    )
    return model


def main() -> int:
    return run_command(
        *(run, Settings),
        name="wikihop.py: error",
        description=__doc__ and __doc__.partition("\n\n")[0],
        interrupted="Stopped. Finished epochs are kept; go on with --resume.",
        outlives_pipe=True,
    )


if __name__ == "__main__":
    sys.exit(main())
