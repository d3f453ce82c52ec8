"""tools/show.py through its real command line."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from keras_cgru.coref import Annotation, Document
from keras_cgru.coref.formats import write_conll2012, write_corenlp
from keras_cgru.evaluation import Prediction, write_predictions
from keras_cgru.inspection import Answer, Passage, Reading, write_readings

ROOT = Path(__file__).resolve().parents[2]
NAMES = ("mary", "john", "anna")
STORY = Annotation(tuple("mary left . she ran .".split()), (((0, 1), (3, 4)),), (0, 3))


def run(*arguments, **variables):
    path = os.pathsep.join([str(ROOT), *sys.path])
    return subprocess.run(
        [sys.executable, ROOT / "tools" / "show.py", *map(str, arguments)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        env=os.environ | {"PYTHONPATH": path, "COLUMNS": "80"} | variables,
    )


def shown(done):
    """The ids of what was shown."""
    assert done.returncode == 0, done.stderr
    return re.findall(r"^q[0-9]+$", done.stdout, re.MULTILINE)


def make_run(folder, answers, texts=True):
    """A run of as many questions, the right answer of each `mary`."""
    folder.mkdir()
    predictions = [
        Prediction(f"q{number}", "mary", answer, 0.6)
        for number, answer in enumerate(answers)
    ]
    write_predictions(folder / "predictions.jsonl", predictions)
    accuracy = answers.count("mary") / len(answers)
    metrics = {
        "recipe": "lambada",
        "model": f"reader {folder.name}",
        "backend": "jax",
        "seed": 0,
        "num_examples": len(answers),
        "num_used": len(answers),
        "accuracy_used": accuracy,
        "accuracy_overall": accuracy,
    }
    (folder / "metrics.json").write_text(json.dumps(metrics))
    readings = (
        Reading(
            f"q{number}",
            Passage(STORY.tokens, [1, 0, 0, 1, 0, 0]),
            Passage(["who", "?"]),
            tuple(
                Answer([name], 0.6 if name == answer else 0.2, [0][name != "mary" :])
                for name in NAMES
            ),
            ("mary",),
        )
        for number, answer in enumerate(answers)
    )
    if texts:
        write_readings(folder / "readings.jsonl.gz", readings)
    return folder


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    a = make_run(folder / "a", ["mary", "john", "mary", "john"])
    b = make_run(folder / "b", ["mary", "mary", "john", "anna"])
    return a, b


def test_a_run_is_shown_with_its_texts(runs):
    done = run("--run", runs[0])
    assert shown(done) == ["q0", "q1", "q2", "q3"]
    assert done.stdout.count("[mary]1 left . [she]1 ran .") == 4
    assert "RIGHT. Answered mary (60 %)" in done.stdout
    assert "WRONG. Answered john (60 %); right: mary (20 %)" in done.stdout
    assert f"run: {runs[0]}; model: reader a, seed 0" in " ".join(done.stdout.split())
    assert "lambada reader a: 0.5000 of the 4 used" in done.stderr
    assert "\x1b" not in done.stdout


def test_only_what_is_asked_for(runs):
    a, b = runs
    assert shown(run("--run", a, "--wrong")) == ["q1", "q3"]
    assert shown(run("--run", a, "--ids", "q3", "q0")) == ["q0", "q3"]
    assert shown(run("--run", a, "--wrong", "--ids", "q3")) == ["q3"]
    few = run("--run", a, "--limit", 3)
    assert shown(few) == ["q0", "q1", "q2"]
    assert "The first 3 of 4; --limit shows more." in few.stderr
    differ = run("--run", a, "--against", b)
    assert shown(differ) == ["q1", "q2", "q3"]
    assert f"{b}: anna (60%), wrong" in " ".join(differ.stdout.split())
    assert shown(run("--run", b, "--against", a, "--wrong")) == ["q2", "q3"]
    same = run("--run", a, "--against", a)
    assert same.returncode == 0 and same.stdout == ""
    assert "There is nothing to be shown." in same.stderr


def test_a_page_of_its_own(runs, tmp_path):
    page = tmp_path / "new folder" / "page.html"
    done = run("--run", runs[0], "--wrong", "--limit", 1, "--html", page)
    assert done.returncode == 0 and done.stdout == "", done.stderr
    text = page.read_text(encoding="utf-8")
    assert "q1" in text and "q3" not in text
    assert "wrong answers only; the first 1 of 2" in text
    assert f"Wrote {page}." in done.stderr
    assert not re.search(r"(src|href)=", text)


def test_a_run_of_an_earlier_version_has_its_answers(tmp_path):
    old = make_run(tmp_path / "old", ["mary", "john", ""], texts=False)
    done = run("--run", old, "--wrong")
    assert shown(done) == ["q1", "q2"]
    assert "WRONG. Answered john (60 %)" in done.stdout
    assert "keeps no texts" in done.stderr


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("files")
    documents = [Document("q0", STORY), Document("q1", STORY)]
    write_conll2012(folder / "gold.conll", documents)
    write_corenlp(folder / "corenlp.json", documents)
    readings = [
        Reading("q2", Passage(["x"]), answers=(Answer(["x"], 0.9),), gold=(gold,))
        for gold in ("x", "y")
    ]
    write_readings(folder / "readings.jsonl", readings[:1])
    write_readings(folder / "wrong.jsonl.gz", readings[1:])
    (folder / "broken.json").write_text(
        '{"document": ["a"], "clusters": [[[0, 9]]]}\n'
        '{"document": ["she", "ran", "she"], "clusters": [[[0, 0], [2, 2]]]}\n'
    )
    return folder


def test_files_of_annotated_texts(files):
    done = run(files / "gold.conll")
    assert shown(done) == ["q0", "q1"]
    assert done.stdout.count("[mary]1 left . [she]1 ran .") == 2
    assert "Answers" not in done.stdout
    done = run("--format", "corenlp", files / "corenlp.json", "--ids", "q1")
    assert shown(done) == ["q1"]


def test_what_annotate_wrote(files):
    annotate = ROOT / "tools" / "annotate.py"
    path = os.pathsep.join([str(ROOT), *sys.path])
    text, parquet = files / "story.txt", files / "story.parquet"
    text.write_text("Mary met John. She saw him.")
    subprocess.run(
        [sys.executable, annotate, text, "--output", parquet, "--jobs", "1"],
        check=True,
        capture_output=True,
        env=os.environ | {"PYTHONPATH": path},
    )
    done = run(parquet)
    assert done.returncode == 0, done.stderr
    assert "[Mary]1 met [John]2 . [She]1 saw [him]2 ." in done.stdout


def test_files_of_readings(files):
    both = [files / "readings.jsonl", files / "wrong.jsonl.gz"]
    assert shown(run(*both)) == ["q2", "q2"]
    done = run(*both, "--wrong")
    assert shown(done) == ["q2"] and "right: y" in done.stdout


def test_a_broken_document_costs_the_others_nothing(files):
    done = run("--format", "allennlp", files / "broken.json")
    assert done.returncode == 1
    assert "[she]1 ran [she]1" in done.stdout
    assert "broken.json:1" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "there must be files, or --run"),
        (["--run", "a", "x.conll"], "there must be files, or --run"),
        (["--run", "{a}", "--format", "corenlp"], "--format is of files"),
        (["x.conll", "--against", "b"], "--against must come with --run"),
        (["x.conll", "--format", "pdf"], "--format must be one of readings, allennlp"),
        (["x.conll"], "INPUTS must be a file that there is. Received: x.conll"),
        (["{files}/corenlp.json"], "--format must say what"),
        (["{files}/readings.jsonl", "--ids", "none"], "--ids must be of examples"),
        (["--run", "{a}", "--limit", "0"], "--limit must be at least 1"),
        (["--run", "{files}"], "metrics.json: must be a file that the recipe wrote"),
        (["--run", "{a}", "--html", "{files}"], "--html must be a file"),
        (["--run", "{a}", "--against", "{files}/none"], "must be the folder of a run"),
    ],
)
def test_what_cannot_be_is_refused(runs, files, arguments, message):
    done = run(*(each.format(a=runs[0], files=files) for each in arguments))
    assert done.returncode == 2, done.stdout
    assert message in done.stderr
    assert len(done.stderr.strip().splitlines()) <= 2 and "Traceback" not in done.stderr


def test_a_reader_that_leaves_ends_it_quietly(runs):
    path = os.pathsep.join([str(ROOT), *sys.path])
    command = f"{sys.executable} {ROOT / 'tools' / 'show.py'} --run {runs[0]} | head -1"
    done = subprocess.run(
        command,
        shell=True,
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"PYTHONPATH": path},
    )
    assert done.stdout == "q0\n" and "Error" not in done.stderr
