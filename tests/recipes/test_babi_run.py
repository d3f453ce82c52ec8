"""Cells from end to end: what they leave, and that none is trained twice."""

import json
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import keras
import numpy as np
import pytest

from keras_cgru import load_reader
from keras_cgru.data.babi.load import load_babi
from keras_cgru.data.babi.results.cell_files import read_cells
from keras_cgru.evaluation import read_predictions, read_run
from keras_cgru.files import locked_folder
from keras_cgru.inspection import run_readings

SHOW = str(Path(__file__).resolve().parents[2] / "tools" / "show.py")
# A pointer, single classes, and lists of several words.
TASKS = (1, 6, 19)
TINY = (
    "--simulated --limit 64 --units 8 --layers 1 --updates 4 --halve-every 2"
).split()
FILES = {
    "events.out.tfevents.0.config",
    "events.out.tfevents.0.hparams",
    "events.out.tfevents.0.predictions",
    "config.json",
    "reader.json",
    "vocabulary.json",
    "metrics.csv",
    "best.keras",
    "predictions.jsonl",
    "readings.jsonl.gz",
    "metrics.json",
    "train",
    "validation",
}


def cells_of(folder):
    return {path.parent for path in folder.rglob("metrics.json")}


@pytest.fixture(scope="module")
def finished(babi, tmp_path_factory):
    """Three cells, two at a time, and what was printed."""
    folder = tmp_path_factory.mktemp("babi")
    tasks = ",".join(map(str, TASKS))
    output = babi.succeed(folder, *TINY, "--tasks", tasks, "--jobs", 2)
    return folder, output


@pytest.fixture(scope="module")
def root(finished):
    folder, _ = finished
    return folder / "runs" / "babi" / f"simulated-best-{keras.backend.backend()}"


def test_what_is_printed(finished):
    _, output = finished
    assert "SIMULATED" in output and "3 asked for, 0 finished" in output
    for task in TASKS:
        name = f"ga_coref_gru/task-{task:02d}/seed-1"
        line = rf"\[\d/3\] {name}: validation [\d.]+, test [\d.]+, 4 updates"
        assert re.search(line, output), output
        assert re.search(rf"^\| {task}: ", output, re.M)
    assert "GA w/ C-GRU" in output and "tensorboard --logdir" in output


def test_unusable_questions_are_told_and_kept(finished, root):
    _, output = finished
    for task in TASKS:
        folder = root / "ga_coref_gru" / f"task-{task:02d}" / "seed-1"
        metrics = json.loads((folder / "metrics.json").read_text())
        skipped = metrics["num_examples"] - metrics["num_used"]
        assert sum(metrics["skipped"]["test"].values()) == skipped
        line = rf"task {task}: .*test kept {metrics['num_used']} of 64.*; to validate: "
        assert re.search(line + re.escape(metrics["validation_by"]), output), output


def test_every_cell_has_its_files(root):
    assert cells_of(root) == {
        root / "ga_coref_gru" / f"task-{task:02d}" / "seed-1" for task in TASKS
    }
    for folder in cells_of(root):
        assert {path.name for path in folder.iterdir()} == FILES


@pytest.mark.parametrize(
    ("task", "head"), [(1, "attention_sum"), (6, "softmax"), (19, "softmax")]
)
def test_metrics_are_those_of_the_predictions(root, task, head):
    folder = root / "ga_coref_gru" / f"task-{task:02d}" / "seed-1"
    run = read_run(folder)
    metrics = run.metrics
    assert (metrics["head"], metrics["num_examples"]) == (head, 64)
    assert metrics["num_used"] == len(run.predictions) <= 64
    right = sum(prediction.correct for prediction in run.predictions)
    assert metrics["accuracy_overall"] == pytest.approx(right / 64)
    model = keras.models.load_model(folder / "best.keras", compile=False)
    assert model.count_params() == metrics["parameters"]


@pytest.mark.parametrize("task", TASKS)
def test_texts_are_those_of_the_predictions(root, task):
    folder = root / "ga_coref_gru" / f"task-{task:02d}" / "seed-1"
    pairs = list(run_readings(read_run(folder)))
    assert len(pairs) > 1
    for prediction, reading in pairs:
        answer = reading.predicted
        said = "" if answer is None else ",".join(answer.tokens)
        assert (said, ",".join(reading.gold)) == (prediction.predicted, prediction.gold)
        if answer is not None:
            assert answer.probability == pytest.approx(prediction.probability)
        assert reading.document.tokens and reading.query.tokens


@pytest.mark.parametrize("task", TASKS)
def test_its_reader_can_be_asked(root, task):
    """About the run's own questions, as text: it gives the run's own answers."""
    folder = root / "ga_coref_gru" / f"task-{task:02d}" / "seed-1"
    predictions = read_predictions(folder / "predictions.jsonl")
    splits = load_babi(simulated=True, tasks=[task], limit=64)[1][task]
    asked = {question.id: question for question in splits.test}
    reader = load_reader(folder)
    questions = [
        (p.id, " ".join(asked[p.id].passage), " ".join(asked[p.id].question))
        for p in predictions
    ]
    readings = list(reader.answer_all(questions, batch_size=16))
    assert [reading.id for reading in readings] == [p.id for p in predictions]
    for reading, prediction in zip(readings, predictions, strict=True):
        answer = reading.predicted
        assert reading.gold is None and reading.correct is None
        if answer is None:  # An answer word by word of no words.
            assert prediction.predicted == ""
            continue
        assert ",".join(answer.tokens) == prediction.predicted
        assert answer.probability == pytest.approx(prediction.probability, abs=1e-5)
        assert bool(answer.positions) == (task == 1)
        assert sum(reading.document.attention) == pytest.approx(1, abs=1e-5)
        assert set(reading.document.alpha) == {("1", "forward"), ("1", "backward")}


def test_what_cannot_be_asked_is_said(root, tmp_path):
    with pytest.raises(FileNotFoundError, match=r"no config.json; it holds 3 cells"):
        load_reader(root)
    cell = root / "ga_coref_gru" / "task-01" / "seed-1"
    earlier = shutil.copytree(cell, tmp_path / "cell")
    (earlier / "reader.json").unlink()
    with pytest.raises(ValueError, match=r"no reader.json.*earlier version"):
        load_reader(earlier)
    reader = load_reader(cell)
    with pytest.raises(ValueError, match=r"`query` must be given"):
        reader.answer("mary went home .")
    with pytest.raises(ValueError, match=r"q1: `document` must hold a word\."):
        list(reader.answer_all([("q1", " ", "where is mary ?")]))
    with pytest.raises(ValueError, match=r"words that were answers in training: "):
        reader.answer("nobody said so .", "where is mary ?")


def test_its_reader_reads_again_what_is_shown(root, environment):
    """With tools/show.py; it answers as the run did, and tells what it weighed."""
    folder = root / "ga_coref_gru" / "task-01" / "seed-1"
    command = [sys.executable, SHOW, "--run", str(folder), "--limit", "2"]
    kept, again = (
        subprocess.run(
            [*command, *more],
            capture_output=True,
            encoding="utf-8",
            check=True,
            env=environment | {"COLUMNS": "200"},
        ).stdout
        for more in ([], ["--alpha"])
    )
    verdicts = re.findall(r"^(?:RIGHT|WRONG).*$", kept, re.MULTILINE)
    assert len(verdicts) == 2
    assert re.findall(r"^(?:RIGHT|WRONG).*$", again, re.MULTILINE) == verdicts
    assert "linked token" in again and "linked token" not in kept
    # What the mentions carried stands behind them.
    assert re.search(r"\w\]?\d*=\d+%", again)


def test_paths_are_answered_word_by_word(root):
    folder = root / "ga_coref_gru" / "task-19" / "seed-1"
    gold = {
        prediction.gold for prediction in read_predictions(folder / "predictions.jsonl")
    }
    assert all(re.fullmatch("[nesw],[nesw]", answer) for answer in gold)
    model = keras.models.load_model(folder / "best.keras", compile=False)
    # Two places; n, e, s, w, or no word.
    assert model.output_shape == (None, 2, 5)


def test_the_best_model_has_the_validation_accuracy_that_chose_it(root):
    for folder in cells_of(root):
        metrics = json.loads((folder / "metrics.json").read_text())
        rows = (folder / "metrics.csv").read_text().splitlines()
        column = rows[0].split(",").index("val_accuracy")
        values = [float(row.split(",")[column] or "nan") for row in rows[1:]]
        assert metrics["validation_accuracy"] == pytest.approx(np.nanmax(values))


def test_the_same_command_trains_nothing_again(babi, finished, root, contents):
    folder, _ = finished
    before = contents(root)
    tasks = ",".join(map(str, TASKS))
    # A model that is named twice is one.
    models = "--model", "ga_coref_gru", "ga_coref_gru"
    output = babi.succeed(folder, *TINY, "--tasks", tasks, *models)
    assert "3 asked for, 3 finished" in output and "| 19: " in output
    assert contents(root) == before


def test_another_setting_is_refused_in_the_same_folder(babi, finished, root, contents):
    folder, _ = finished
    before = contents(root)
    done = babi(folder, *TINY, "--tasks", "1", "--dropout", "0.2")
    assert done.returncode == 2
    assert "finished with dropout=0.3" in done.stderr and "0.2" in done.stderr
    assert contents(root) == before


def test_a_cell_that_another_run_trains_is_left_to_it(babi, tmp_path):
    pytest.importorskip("fcntl", reason="there are no such locks on Windows")
    cell = tmp_path / "cells/ga_coref_gru/task-01/seed-1"
    with locked_folder(cell):
        done = babi(tmp_path, *TINY, "--tasks", "1", "--run-dir", "cells")
        assert done.returncode == 0, done.stderr
        assert "left to another run, which is training it" in done.stdout
        assert "FAILED" not in done.stderr
        assert not (cell / "config.json").exists()


def test_a_seed_fixes_the_result(babi, root, tmp_path):
    """Alone, in another order, in another folder."""
    babi.succeed(tmp_path, *TINY, "--tasks", "6", "--run-dir", "again")
    again = read_predictions(
        tmp_path / "again/ga_coref_gru/task-06/seed-1/predictions.jsonl"
    )
    first = read_predictions(root / "ga_coref_gru/task-06/seed-1/predictions.jsonl")
    for a, b in zip(first, again, strict=True):
        assert (a.id, a.predicted) == (b.id, b.predicted)
        assert a.probability == pytest.approx(b.probability, rel=1e-4)


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_stopped_and_started_again(babi, tmp_path, contents, read_events, how):
    # The second cell takes some seconds although it compiles nothing.
    longer = [*TINY, "--patience", 9999]
    longer[longer.index("--updates") + 1] = 200
    options = [*longer, "--tasks", "1", "--seeds", 2, "--run-dir", "stopped"]
    second = tmp_path / "stopped/ga_coref_gru/task-01/seed-2/metrics.csv"
    process = babi.start(tmp_path, *options)
    while not second.exists() and process.poll() is None:
        time.sleep(0.05)
    assert any((second.parent / "train").iterdir())
    process.send_signal(how)
    stdout, stderr = process.communicate(timeout=300)
    if how == signal.SIGINT:
        assert process.returncode == 130, stderr
        assert "Finished cells are kept" in stdout
    cells = cells_of(tmp_path / "stopped")
    before = {cell: contents(cell) for cell in cells}
    assert len(cells) == 1
    output = babi.succeed(tmp_path, *options)
    assert "2 asked for, 1 finished" in output
    assert all(contents(cell) == files for cell, files in before.items())
    assert [cell.key[2] for cell in read_cells(tmp_path / "stopped")] == [1, 2]
    # What was logged before is gone: every step is there once.
    for split in ("train", "validation"):
        files = read_events(second.parent / split)
        steps = [step for file in files for step, _ in file]
        assert steps and len(set(steps)) == len(steps)
