"""What TensorBoard shows of a run as a whole: its config, its results, its words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

import keras
from keras import ops

from keras_cgru.callbacks.event_files import require_tensorboard, write_events
from keras_cgru.callbacks.hparams_files import write_session
from keras_cgru.callbacks.projector_files import write_projector
from keras_cgru.callbacks.summary_values import text_value
from keras_cgru.data import Example, Vocabulary
from keras_cgru.evaluation.markdown import table
from keras_cgru.files import read_json
from keras_cgru.inspection import read_readings
from keras_cgru.inspection.visible import visible
from keras_cgru.training.reading_part import as_block
from keras_cgru.training.run_folder import RunFolder

# Sorted before the file of HParams and those of a training: TensorBoard, which may have
# been started already, reads files in the order of their names and never goes back.
CONFIG_FILE = "events.out.tfevents.0.config"
PREDICTIONS_FILE = "events.out.tfevents.0.predictions"
SHOWN = 10
# More make the browser slow.
MOST_WORDS = 10_000


def show_config(folder: RunFolder) -> None:
    """Makes a table of a run's `config.json` for the tab Text.

    Raises:
        ImportError: `tensorboard` is not installed.
    """
    require_tensorboard()
    rows = [(name, f"`{value}`") for name, value in _flat(read_json(folder.config))]
    markdown = text_value("config", table(["option", "value"], rows))
    write_events(folder.path / CONFIG_FILE, [(0, markdown)])


def show_results(
    folder: RunFolder,
    hparams: Mapping[str, Any],
    metrics: Mapping[str, Any],
    updates: int,
) -> None:
    """Shows how a run ended: accuracies, HParams, and answers with their texts.

    Args:
        folder: The run's, with what `evaluate_reader` stored.
        hparams: The run's hyperparameters; None is left out.
        metrics: What goes into `metrics.json`; accuracies of test and validation.
        updates: How many there were.
    """
    write_session(
        folder.path,
        {name: _plain(value) for name, value in hparams.items() if value is not None},
        {
            "test_accuracy": metrics["accuracy_overall"],
            "validation_accuracy": metrics["validation_accuracy"],
        },
        updates,
        describe=True,
    )
    caution = f" ({metrics['caution']})" if metrics.get("caution") else ""
    readings = list(islice(read_readings(folder.readings), SHOWN))
    parts = [
        f"The first {len(readings)} of {metrics['num_used']:,} test examples{caution}.",
        *map(as_block, readings),
    ]
    answers = text_value("predictions", "\n\n---\n\n".join(parts))
    write_events(folder.path / PREDICTIONS_FILE, [(updates, answers)])


def show_embeddings(
    folder: RunFolder,
    model: keras.Model,
    vocabulary: Vocabulary,
    examples: Sequence[Example],
) -> None:
    """Fills the Projector with the vectors of the most frequent words.

    Args:
        folder: The run's.
        model: Its best reader.
        vocabulary: Its words; the buckets of unknown words are left out.
        examples: In which words are counted: those of training.
    """
    counts: Counter[str] = Counter()
    for example in examples:
        counts.update(example.document)
        counts.update(example.query)
    words = sorted(vocabulary.words, key=lambda word: (-counts[word], word))
    words = words[:MOST_WORDS]
    vectors = ops.convert_to_numpy(model.get_layer("embedding").embeddings)
    write_projector(
        folder.path,
        [visible(word) for word in words],
        vectors[vocabulary.encode(words)],
        {"count": [counts[word] for word in words]},
        name="words",
    )


def _flat(value: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """Names with dots between them, and what is no object."""
    if isinstance(value, Mapping) and value:
        for key, inner in value.items():
            yield from _flat(inner, f"{name}.{key}" if name else str(key))
    else:
        yield name, value


def _plain(value: Any) -> bool | int | float | str:
    if isinstance(value, bool | int | float | str):
        return value
    return ",".join(map(str, value))
