"""tools/answer.py: questions in, answers out, nothing lost."""

import importlib.util
import io
import json
import shutil
import subprocess
import sys
from pathlib import Path

import keras
import pytest

from keras_cgru import load_reader
from keras_cgru.data import Example, Vocabulary
from keras_cgru.files import write_json
from keras_cgru.models import ga_reader

ROOT = Path(__file__).resolve().parents[2]
STORY = "Anna took the lamp. Then she went home. By evening it was with"
DOCUMENT, QUESTION = "anna met bob . he took the lamp .", "the lamp was with"


@pytest.fixture(scope="module")
def tool():
    path = ROOT / "tools" / "answer.py"
    spec = importlib.util.spec_from_file_location("answer_tool", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules["answer_tool"] = module  # The settings' hints are looked up there.
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """The folder of a run: a reader that has learnt nothing."""
    if keras.backend.backend() == "torch":
        pytest.skip("recipes train on JAX and TensorFlow")
    folder = tmp_path_factory.mktemp("run")
    words = tuple(DOCUMENT.split())
    example = Example("0", words, (), (("anna",),), ("anna",))
    vocabulary = Vocabulary.build([example], num_oov=4)
    vocabulary.save(folder / "vocabulary.json")
    keras.utils.set_random_seed(1)
    model = ga_reader(len(vocabulary), 4, units=4, num_layers=1, logits=True)
    model.save(folder / "best.keras")
    settings = {"resolver": "exact", "links": [], "num_clusters": 15, "annotations": []}
    config = {"recipe": "lambada", "settings": settings, "data": {"kind": "lambada"}}
    write_json(folder / "config.json", config)
    return folder


@pytest.fixture(scope="module")
def reader(run):
    return load_reader(run)


@pytest.fixture
def ask(tool, run, reader, monkeypatch, capsys):
    """`ask(*options) -> (status, printed lines, what was said)`."""
    # One reader for all: its programs are compiled once.
    monkeypatch.setattr("keras_cgru.answering.load_reader", lambda *_: reader)

    def call(*options):
        status = tool.main(["--run", str(run), *map(str, options)])
        printed = capsys.readouterr()
        return status, printed.out.splitlines(), printed.err

    return call


def write_questions(path, questions):
    path.write_text("".join(f"{line}\n" for line in questions), encoding="utf-8")
    return path


MANY = [
    json.dumps({"id": "a", "document": DOCUMENT, "question": QUESTION}),
    STORY,
    json.dumps({"story": STORY}),
    "",
    json.dumps({"id": "é", "document": "bob saw the lamp .", "question": QUESTION}),
]


def test_a_story_for_people_and_for_programs(ask):
    status, lines, _ = ask("--story", STORY, "--top", 2)
    assert status == 0
    text = "\n".join(lines)
    assert "Answered" in text and "anna" in text and "by evening it was with" in text
    status, lines, _ = ask("--story", STORY, "--json", "--top", 2)
    (found,) = map(json.loads, lines)
    assert status == 0 and len(found["answers"]) == 2
    assert found["tokens"][:5] == ["anna", "took", "the", "lamp", "."]
    best = found["answers"][0]
    assert (found["answer"], found["probability"]) == (
        best["answer"],
        best["probability"],
    )
    assert [found["tokens"][place] for place in best["positions"]] == [best["answer"]]


def test_a_document_that_is_a_file_and_a_page(ask, tmp_path):
    (tmp_path / "document.txt").write_text(DOCUMENT, encoding="utf-8")
    page = tmp_path / "page.html"
    options = ["--document", tmp_path / "document.txt", "--question", QUESTION]
    status, lines, _ = ask(*options, "--html", page, "--json")
    assert status == 0
    assert json.loads(lines[0])["tokens"] == DOCUMENT.split()
    text = page.read_text(encoding="utf-8")
    assert "bob" in text and text.startswith("<!DOCTYPE html>")


def test_many_from_a_file_and_from_standard_input(ask, tmp_path, monkeypatch):
    path = write_questions(tmp_path / "q.jsonl", MANY)
    status, lines, _ = ask("--input", path, "--json", "--batch-size", 2)
    found = [json.loads(line) for line in lines]
    assert status == 0
    assert [each["id"] for each in found] == ["a", "2", "3", "é"]
    # Whatever the locale says.
    pipe = io.TextIOWrapper(io.BytesIO(path.read_bytes()), encoding="ascii")
    monkeypatch.setattr(sys, "stdin", pipe)
    _, again, _ = ask("--input", "-", "--json", "--batch-size", 2)
    assert again == lines


def test_stopped_and_resumed_gives_the_same(ask, tool, tmp_path):
    path = write_questions(tmp_path / "q.jsonl", MANY)
    whole, part = tmp_path / "whole.jsonl", tmp_path / "part.jsonl"
    options = ["--input", path, "--batch-size", 2]
    assert ask(*options, "--output", whole)[0] == 0
    data = whole.read_bytes()
    # Killed in the midst of a line.
    part.write_bytes(data[: data.index(b"\n") + 30])
    status, _, said = ask(*options, "--output", part, "--resume")
    assert status == 0 and "1 answers are there" in said
    kept = [json.loads(line) for line in part.read_text("utf-8").splitlines()]
    want = [json.loads(line) for line in whole.read_text("utf-8").splitlines()]
    assert [each["id"] for each in kept] == [each["id"] for each in want]
    assert [each["answer"] for each in kept] == [each["answer"] for each in want]
    # What is there is not lost by a command without --resume.
    status, _, said = ask(*options, "--output", whole)
    assert status == 2 and "--resume" in said and whole.read_bytes() == data
    assert ask(*options, "--output", whole, "--overwrite")[0] == 0
    assert whole.read_bytes() == data
    # Answers to other questions are none to these.
    others = write_questions(tmp_path / "others.jsonl", [STORY, *MANY])
    status, _, said = ask("--input", others, "--output", whole, "--resume")
    assert status == 2 and f"{whole}:1 answers 'a'" in said and "question '1'" in said
    assert whole.read_bytes() == data


BAD = {
    '{"story": 3}': "texts must be strings",
    '{"story": "a", "document": "b"}': '"document" and "question", or "story"',
    '{"story": "Anna left. It was", "x": 1}': "Received: ['story', 'x']",
    '{"story"': "q.jsonl:2: ",
    "One sentence only": "sentences and the beginning of another",
    '{"document": "", "question": "who ?"}': "`document` must hold a word",
    '{"document": "Anna left.", "question": " "}': "--question must hold a word",
    "Anna left. It was Bob.": "sentences and the beginning of another",
    '{"story": "Anna left. It was", "id": "\\ud800"}': "texts must be Unicode",
}


@pytest.mark.parametrize("line", BAD)
def test_a_bad_question_stops_with_its_line(ask, tmp_path, line):
    path = write_questions(tmp_path / "q.jsonl", [STORY, line, STORY])
    output, page = tmp_path / "answers.jsonl", tmp_path / "page.html"
    options = ["--input", path, "--output", output, "--html", page]
    status, _, said = ask(*options)
    assert status == 2 and f"{path}:2: " in said
    assert BAD[line].replace("`document`", "--document") in said
    # What stands before it is answered and kept.
    assert len(output.read_text(encoding="utf-8").splitlines()) == 1
    assert "anna" in page.read_text(encoding="utf-8")


def test_a_bad_question_can_be_left_out(ask, tmp_path):
    path = write_questions(tmp_path / "q.jsonl", [STORY, "One sentence only", STORY])
    output = tmp_path / "answers.jsonl"
    status, _, said = ask("--input", path, "--output", output, "--skip-failed")
    lines = [json.loads(line) for line in output.read_text("utf-8").splitlines()]
    assert status == 1 and f"left out: {path}:2: " in said
    assert [line and line["id"] for line in lines] == ["1", None, "3"]


def test_a_line_that_is_no_text_costs_itself_alone(ask, tmp_path):
    path = tmp_path / "q.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + b"\n".join([STORY.encode(), b"\xff. a", b"\0"]))
    status, lines, said = ask("--input", path, "--json", "--skip-failed")
    assert status == 1 and [json.loads(line)["id"] for line in lines] == ["1"]
    assert f"{path}:2: must be UTF-8" in said and f"{path}:3: must be text" in said


def test_names_of_texts(ask, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "my story").write_text(STORY, encoding="utf-8")
    status, lines, _ = ask("--story", "~/my story", "--json")
    assert status == 0 and json.loads(lines[0])["tokens"][0] == "anna"
    # A name that is mistyped is no story of one word.
    for name in ("stroy.txt", "~/story"):
        status, _, said = ask("--document", name, "--question", QUESTION)
        assert status == 2 and "--document must be a file that there is" in said


def test_no_file_is_written_over_another(ask, tmp_path):
    path = write_questions(tmp_path / "q.jsonl", MANY)
    content = path.read_bytes()
    for option in ("--output", "--html"):
        status, _, said = ask("--input", path, option, path, "--overwrite")
        assert status == 2 and f"{option} must be another file than --input" in said
    page = tmp_path / "page"
    status, _, said = ask("--input", path, "--output", page, "--html", page)
    assert status == 2 and "--html must be another file than --output" in said
    assert path.read_bytes() == content


def test_devices(ask):
    assert ask("--story", STORY, "--output", "/dev/null")[0] == 0
    status, lines, said = ask("--input", "/dev/null")
    assert (status, lines) == (0, []) and "There was no question." in said
    status, _, said = ask("--story", STORY, "--output", "/dev/full")
    assert status == 2 and "No space left on device" in said


def test_texts_too_long_for_a_batch_are_read_alone(ask, tmp_path, monkeypatch):
    path = write_questions(tmp_path / "q.jsonl", MANY)
    options = ["--input", path, "--json", "--batch-size", 2]
    together = [json.loads(line) for line in ask(*options)[1]]
    monkeypatch.setattr("keras_cgru.training.readings.MAX_TOKENS", 32)
    alone = [json.loads(line) for line in ask(*options)[1]]
    assert [each["id"] for each in alone] == [each["id"] for each in together]
    for one, other in zip(alone, together, strict=True):
        assert one["probability"] == pytest.approx(other["probability"], abs=1e-5)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ([], "--story must be given, or --document, or --input"),
        (["--story", "a", "--input", "b"], "one of them"),
        (["--document", "a"], "--question must be given with --document"),
        (["--story", "a", "--resume"], "--resume must be given with --output"),
        (["--story", "a", "--top", "0"], "--top must be at least 1"),
        (["--story", "a", "--output", "b", "--resume", "--overwrite"], "--overwrite"),
        (["--input", "/none/such"], "/none/such"),
    ],
)
def test_what_cannot_be_is_refused_first(ask, options, message):
    status, _, said = ask(*options)
    assert status == 2 and message in said


def test_a_folder_without_a_run(tool, capsys, tmp_path):
    assert tool.main(["--run", str(tmp_path), "--story", STORY]) == 2
    assert "--run must be a run's folder" in capsys.readouterr().err


def test_candidates_are_for_readers_that_choose(ask, tmp_path):
    asked = ["--document", DOCUMENT, "--question", QUESTION]
    status, _, said = ask(*asked, "--candidates", "anna", "bob")
    assert status == 2 and "--candidates must be left out" in said
    lines = [{"document": DOCUMENT, "question": QUESTION, "candidates": ["anna", 1]}]
    path = write_questions(tmp_path / "q.jsonl", map(json.dumps, lines))
    status, _, said = ask("--input", path)
    assert status == 2 and "q.jsonl:1: candidates must be a list of strings" in said
    status, _, said = ask("--story", STORY, "--candidates", "anna")
    assert status == 2 and "--candidates must be given with --document" in said


def test_a_run_on_annotations_needs_a_resolver(run, tool, capsys, tmp_path):
    folder = tmp_path / "run"
    shutil.copytree(run, folder)
    config = json.loads((folder / "config.json").read_text())
    config["settings"]["annotations"] = ["a.parquet"]
    write_json(folder / "config.json", config)
    asked = ["--run", str(folder), "--document", DOCUMENT, "--question", QUESTION]
    assert tool.main([*asked, "--json"]) == 2
    assert "--resolver must be given for a run whose" in capsys.readouterr().err
    found = {}
    for resolver in ("sieve", "exact"):
        assert tool.main([*asked, "--json", "--resolver", resolver]) == 0
        found[resolver] = json.loads(capsys.readouterr().out)["clusters"]
    bob, he = (DOCUMENT.split().index(word) for word in ("bob", "he"))
    assert found["sieve"][bob] == found["sieve"][he] != []
    assert found["exact"][he] == []
    assert tool.main([*asked, "--resolver", "nobody"]) == 2
    assert "resolver must be one of" in capsys.readouterr().err


def test_its_own_command_line(run):
    done = subprocess.run(
        [sys.executable, ROOT / "tools" / "answer.py", "--run", run, "--input", "-"],
        input=STORY + "\n",
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert "Answered" in done.stdout
