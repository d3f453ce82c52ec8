"""What runs and tools keep for their own later use, as subjects for the fuzzer."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from keras_cgru.answering import AnswerFile, load_reader, read_questions
from keras_cgru.answering.asked import Asked
from keras_cgru.coref import Annotation, Document
from keras_cgru.coref.annotating.outputs.counts import Counts
from keras_cgru.coref.annotating.outputs.kept_options import restored
from keras_cgru.coref.annotating.outputs.part import Part
from keras_cgru.coref.annotating.outputs.part_folder import PartFolder
from keras_cgru.data import CharacterVocabulary
from keras_cgru.data.babi.asker import BabiAsker
from keras_cgru.evaluation.seed_run import read_seed_run

QUESTIONS = (
    b'{"id": "a", "document": "Mary left.", "question": "Who left?"}\n'
    b'{"story": "Mary saw John. He saw"}\n'
    b"Mary saw John . He saw\n"
)
ANSWERS = b'{"id": "a", "answer": "mary", "probability": 0.5}\nnull\n{"id": "3"}\n'
METRICS = {
    **{"recipe": "lambada", "model": "gru", "backend": "jax", "seed": 1},
    **{"parameters": 10, "num_examples": 2, "num_used": 1, "accuracy_used": 1.0},
    **{"accuracy_overall": 0.5, "validation_accuracy": 0.5, "train_seconds": 1.5},
    "examples_per_second": 2.0,
}
PREDICTIONS = b'{"id": "a", "gold": "x", "predicted": "x", "probability": 0.5}\n'
CONFIG = {
    "recipe": "lambada",
    "settings": {"recurrence": "gru", "num_clusters": 15, "resolver": "sieve"},
    "data": {"kind": "lambada", "sha256": {"a.txt": "0f"}},
}
READER = BabiAsker(
    "softmax", (("yes",), ("no",)), (), frozenset(("mary", "john")), False, True
).to_dict()
OUTPUT = "out.parquet"


@dataclass(frozen=True)
class Options:
    """Some of those of `tools/annotate.py`."""

    inputs: tuple[str, ...] = ()
    annotations: tuple[str, ...] = ()
    output: str | None = None
    resolver: str = "sieve"
    jobs: int | None = None


def run_files() -> list[tuple[str, str, bytes, Callable[[Path], Any], Any]]:
    """Name, file, sound content, reader, and the files beside it."""
    metrics, config = _json(METRICS), _json(CONFIG)
    predictions = ("predictions.jsonl", PREDICTIONS)
    options = _json({"inputs": ["/a.txt"], "resolver": "exact", "jobs": 2})
    parts = f"{OUTPUT}.parts"
    return [
        ("questions", "q.jsonl", QUESTIONS, _questions, ()),
        ("answers", "a.jsonl", ANSWERS, _answers, ()),
        (
            *("kept options", f"{parts}/config.json", options, _options),
            ((f"{parts}/job.json", b"{}"),),
        ),
        ("part", f"{parts}/part-000000.arrow", _part(), _read_part, ()),
        (
            *("run metrics", "metrics.json", metrics, _seed_run),
            (("config.json", config), predictions),
        ),
        (
            *("run config", "config.json", config, _seed_run),
            (("metrics.json", metrics), predictions),
        ),
        (
            *("characters", "characters.json"),
            CharacterVocabulary("abé", word_length=3).to_json().encode(),
            *(CharacterVocabulary.load, ()),
        ),
        ("asked config", "config.json", config, _load, ()),
        (
            *("reader", "reader.json", _json(READER), _load),
            (("config.json", _json({"recipe": "babi"})),),
        ),
    ]


def _json(content: Any) -> bytes:
    return json.dumps(content).encode()


def _questions(path: Path) -> None:
    for asked in read_questions(io.BytesIO(path.read_bytes()), str(path)):
        if asked.error:
            raise ValueError(asked.error)


def _answers(path: Path) -> None:
    asked = (Asked(id, id, "x", None) for id in ("a", "2", "3"))
    AnswerFile(path, resume=True, overwrite=False).begin(asked)


def _options(path: Path) -> None:
    restored(Options(output=str(path.parent.parent / OUTPUT)))


def _part() -> bytes:
    annotation = Annotation(("Mary", "she"), (((0, 1), (1, 2)),), (0,))
    documents = ((0, Document("a", annotation)),)
    return Part(0, documents, (), Counts(), 1.5).to_bytes()


def _read_part(path: Path) -> None:
    assert PartFolder(path.parent.parent / OUTPUT, {}).read(0) is not None


def _seed_run(path: Path) -> None:
    read_seed_run(path.parent, [])


def _load(path: Path) -> None:
    try:
        load_reader(path.parent)
    except FileNotFoundError as error:  # There is no vocabulary.
        assert str(path.parent) in str(error)
