"""The readers that are fuzzed, and a sound file for each to start from.

Each file is one that the package writes itself, or the first lines of a real one where
`KERAS_CGRU_DATA` names the official files.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from fuzz.run_files import run_files

from keras_cgru.callbacks import read_metrics
from keras_cgru.callbacks.event_files import EventFile, drop_events_after
from keras_cgru.callbacks.summary_values import scalar_values
from keras_cgru.callbacks.training_state import TrainingState, read_state, write_state
from keras_cgru.coref import Annotation, Document
from keras_cgru.coref.formats import FORMATS
from keras_cgru.data import Vocabulary, read_glove
from keras_cgru.data.babi import read_babi
from keras_cgru.data.babi.results.cell_files import read_cells
from keras_cgru.data.lambada import read_lambada
from keras_cgru.data.wikihop.read_wikihop import read_wikihop
from keras_cgru.data.wikihop.simulated import record_to_json, simulate_records
from keras_cgru.evaluation import Prediction, read_predictions, write_predictions
from keras_cgru.evaluation.gap import read_gap
from keras_cgru.files import read_json, read_lines
from keras_cgru.inspection import (
    Answer,
    Passage,
    Reading,
    read_readings,
    write_readings,
)

DOCUMENTS = [
    Document(
        "first",
        Annotation(
            ("Mary", "met", "John", ".", "He", "saw", "her", "."),
            (((0, 1), (6, 7)), ((2, 3), (4, 5))),
            (0, 4),
        ),
    ),
    Document(
        "second",
        Annotation(
            ("the", "old", "man", "'s", "dog", "barked"), (((0, 3),), ((0, 5),)), (0,)
        ),
    ),
]
ROOT = Path(__file__).parents[2]
LAMBADA = (
    "mary met john in the garden . he said `` hello '' . she smiled at john\n"
    "the dog barked . the old man heard it . he called the dog\n"
)
BABI = (
    "1 Mary moved to the bathroom.\n2 John went to the hallway.\n"
    "3 Where is Mary? \tbathroom\t1\n1 Dan took the milk.\n2 Who has it?\tDan\t1\n"
)
GLOVE = "the 0.1 -0.2 0.3\nof 1 2 3\nat name@domain.com 0.5 0.5 0.5\n. . . 1 1 1\n"
GAP = (
    "ID\tText\tPronoun\tPronoun-offset\tA\tA-offset\tA-coref\tB\tB-offset\tB-coref\tURL\n"
    "d-1\tMary met Ann . She left .\tShe\t15\tMary\t0\tTRUE\tAnn\t9\tFALSE\tu\n"
)


@dataclass(frozen=True)
class Subject:
    """A reader and what it reads.

    Args:
        name: Of the test.
        file: Name of the file; some readers go by it.
        seed: The content of a sound file.
        read: Reads the file at a path.
        beside: Files that stand beside it, sound ones.
    """

    name: str
    file: str
    seed: bytes
    read: Callable[[Path], Any]
    beside: tuple[tuple[str, bytes], ...] = ()


def subjects(folder: Path) -> list[Subject]:
    """All of them; `folder` takes what is written on the way."""
    return [
        Subject("lambada", "l.txt", _real(LAMBADA, _LAMBADA_FILE), read_lambada),
        Subject(
            "babi", "b.txt", _real(BABI, _BABI_FILE, 15), lambda p: read_babi(p, 1)
        ),
        Subject("wikihop", "w.json", _wikihop(), read_wikihop),
        Subject("glove", "g.txt", GLOVE.encode(), read_glove),
        Subject("vocabulary", "v.json", _vocabulary(folder), Vocabulary.load),
        *(_format(name, folder) for name in FORMATS),
        Subject("event file", "events.out.tfevents.1.h.1", _events(folder), _reduce),
        Subject("metrics.csv", "metrics.csv", _METRICS, read_metrics),
        Subject("predictions", "p.jsonl", _predictions(folder), read_predictions),
        *(_readings(folder, end) for end in ("", ".gz")),
        Subject("training state", "s.npz", _state(folder), read_state),
        Subject("gap", "gap.tsv", GAP.encode(), read_gap),
        Subject("cells", "cells.jsonl", _cells(), read_cells),
        Subject("json", "c.json", b'{"a": [1, {"b": null}], "c": "d"}\n', read_json),
        Subject("lines", "t.txt", LAMBADA.encode(), lambda p: list(read_lines(p))),
        *(Subject(*each) for each in run_files()),
    ]


_METRICS = b"epoch,seconds,accuracy,val_accuracy\n1,2.5,0.5,0.25\n2,2.25,0.75,\n"
_LAMBADA_FILE = "lambada-dataset/lambada_development_plain_text.txt"
_BABI_FILE = "tasks_1-20_v1-2/en/qa1_single-supporting-fact_train.txt"
_WINOBIAS_FILE = "coref/winobias/dev_type1_pro_stereotype.v4_auto_conll"


def _read_task_1(path: Path) -> Any:
    return read_babi(path, 1)


def _real(own: str, name: str, num_lines: int = 3) -> bytes:
    path = Path(os.environ.get("KERAS_CGRU_DATA", "."), name)
    if not path.is_file():
        return own.encode()
    with open(path, "rb") as file:
        return b"".join(islice(file, num_lines))


def _format(name: str, folder: Path) -> Subject:
    path = folder / f"{name}.coref_onehot"
    each = FORMATS[name]
    assert each.write is not None
    each.write(path, DOCUMENTS)
    beside: tuple[tuple[str, bytes], ...] = ()
    if (data := path.with_suffix(".data")).exists():
        beside = (("file.data", data.read_bytes()),)
    seed = path.read_bytes()
    if name == "conll2012":
        end = b"#end document\n"
        seed = _real(seed.decode(), _WINOBIAS_FILE, 60).partition(end)[0] + end

    def read(path: Path) -> list[Document]:
        return list(each.read(path))

    return Subject(name, "file.coref_onehot", seed, read, beside)


def _wikihop() -> bytes:
    """A record with annotations, and one with known mentions."""
    one, _, other = map(record_to_json, simulate_records(3, 0))
    del one["mentions"]
    one["annotations"] = [["follows", "multiple"], ["not_follow", ""]]
    return json.dumps([one, other], ensure_ascii=False, indent=1).encode()


def _vocabulary(folder: Path) -> bytes:
    Vocabulary(["mary", "john", "é"], num_oov=2).save(folder / "vocabulary.json")
    return (folder / "vocabulary.json").read_bytes()


def _events(folder: Path) -> bytes:
    file = EventFile(folder / "events")
    for step in range(1, 5):
        file.add(step, scalar_values({"loss": 1 / step}))
    file.close()
    return file.path.read_bytes()


def _reduce(path: Path) -> None:
    drop_events_after(path.parent, 2)


def _predictions(folder: Path) -> bytes:
    path = folder / "predictions.jsonl"
    write_predictions(
        path, [Prediction("a", "mary", "john", 0.5), Prediction("b", "x", "x", 1.0)]
    )
    return path.read_bytes()


def _readings(folder: Path, end: str) -> Subject:
    path = folder / f"readings.jsonl{end}"
    alpha = {(1, "forward"): [1, 0.5], (1, "backward"): [0.25, 1]}
    document = Passage(["mary", "she"], [1, (1, 2)], alpha, [0.75, 0.25])
    answers = (Answer(["mary"], 0.75, [0]), Answer(["she"], 0.25, [1]))
    reading = Reading("a", document, Passage(["é"]), answers, ("she",), "t", {"k": "v"})
    write_readings(path, [reading, Reading("b", Passage(["x"]))])
    return Subject(
        f"readings{end}", path.name, path.read_bytes(), lambda p: list(read_readings(p))
    )


def _state(folder: Path) -> bytes:
    import numpy as np

    arrays = [np.arange(6, dtype="float32"), np.ones((2, 2), "int64")]
    state = TrainingState("jax", 3, ["a", "b"], ["float32", "int64"], arrays)
    write_state(folder / "state.npz", state)
    return (folder / "state.npz").read_bytes()


def _cells() -> bytes:
    with open(ROOT / "docs" / "results" / "babi" / "cells.jsonl", "rb") as file:
        return b"".join(islice(file, 2))
