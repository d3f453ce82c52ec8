"""tools/annotate.py: broken records, pipes, links, addresses and Ctrl-C."""

import importlib.util
import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from keras_cgru.coref.annotating import read_annotations, read_metadata
from keras_cgru.coref.formats import FORMATS

pa = pytest.importorskip("pyarrow", reason="the tool writes Parquet")
pq = pytest.importorskip("pyarrow.parquet", reason="the tool writes Parquet")
pytest.importorskip("nltk", reason="running text is tokenised with nltk")

ROOT = Path(__file__).resolve().parents[2]
PASSAGES = "ann saw ben . he saw ann\nben left . she saw ben\nann ran . he ran\n"
GOOD = {"document": ["a", "b", "a"], "clusters": [[[0, 0], [2, 2]]]}


@pytest.fixture
def annotate(tmp_path, monkeypatch):
    """Runs the command line, with the exact resolver, in an empty folder."""
    path = ROOT / "tools" / "annotate.py"
    spec = importlib.util.spec_from_file_location("annotate_tool", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.chdir(tmp_path)
    Path("lambada_test.txt").write_text(PASSAGES)

    def run(*arguments):
        options = () if "--from" in arguments else ("--resolver", "exact")
        return module.main([*map(str, arguments), *options, "--jobs", "1"])

    return run


def ids(path="o.parquet"):
    return [document.id for document in read_annotations(path)]


def json_lines(*records):
    return "".join(
        (record if isinstance(record, str) else json.dumps(record)) + "\n"
        for record in records
    )


CONLL = (
    "#begin document (a); part 0\na 0 0 w -\n\n#end document\n"
    "#begin document (b); part 0\nb 0 0 w (1\n\n#end document\n"
    "#begin document (c); part 0\nc 0 0 w -\n\n#end document\n"
)
INPUTS = {
    "lambada": (b"a b c\nd \xff f\ng h i\n", ":2: must be UTF-8"),
    "wikihop": (
        b'[{"id": "a", "supports": ["x y"]}, 3, {"id": "c", "supports": ["x"]}]',
        ": record 1 must be an object",
    ),
    "allennlp": (json_lines(GOOD, "oops", GOOD).encode(), ":2: must be JSON"),
    "conll2012": (CONLL.encode(), ":6: the mention of cluster 1 must end"),
}


@pytest.mark.parametrize("kind", INPUTS)
def test_a_broken_record_of_the_input(annotate, kind, capsys):
    content, message = INPUTS[kind]
    Path("file").write_bytes(content)
    arguments = ("file", "--input", kind, "--output", "o.parquet")
    assert annotate(*arguments) == 1
    said = capsys.readouterr().err
    assert f": file{message}" in said and "1 of 3 documents failed" in said
    assert not Path("o.parquet").exists()
    assert annotate(*arguments, "--resume", "--skip-failed") == 0
    assert "1 documents failed and were left out" in capsys.readouterr().err
    assert len(ids()) == 2 and len(read_metadata("o.parquet")["failed"]) == 1


def test_a_broken_row_of_parquet(annotate, capsys):
    rows = {"id": ["a", "b", "c"], "tokens": [["x"], ["x", None], ["y"]]}
    pq.write_table(pa.table(rows), "in.parquet")
    arguments = ("in.parquet", "--output", "o.parquet")
    assert annotate(*arguments) == 1
    assert "in.parquet: row 1: `tokens` must be a list" in capsys.readouterr().err
    assert annotate(*arguments, "--resume", "--skip-failed") == 0
    assert ids() == ["a", "c"]


@pytest.mark.parametrize("named", [False, True])
def test_a_broken_record_of_another_system(annotate, named, capsys):
    names = ["test-00000", "test-00001", "test-00002"]
    tokens = [line.split()[:-1] for line in PASSAGES.splitlines()]
    records = [
        {"document": words, "clusters": []} | ({"id": name} if named else {})
        for name, words in zip(names, tokens, strict=True)
    ]
    records[2]["clusters"] = [[[0, 0], [2, 2]]]
    if named:  # Their order says nothing, then.
        records = [records[2], '{"id": "test-00', records[0]]
    else:
        records[1] = "CoreNLP request timed out."
    Path("found.json").write_text(json_lines(*records))
    found = ("--from", "allennlp", "--annotations", "found.json")
    arguments = ("lambada_test.txt", *found, "--output", "o.parquet")
    assert annotate(*arguments) == 1
    said = capsys.readouterr().err
    assert f"matched by {'id' if named else 'order'}" in said
    assert "document test-00001: " in said and "found.json:2: must be JSON" in said
    assert annotate(*arguments, "--resume", "--skip-failed") == 0
    first, last = read_annotations("o.parquet")
    assert (first.id, last.id) == ("test-00000", "test-00002")
    assert first.annotation.clusters == ()
    assert last.annotation.clusters == (((0, 1), (2, 3)),)


def test_a_system_without_a_dataset(annotate, capsys):
    Path("found.json").write_text(json_lines(GOOD, {"document": 3}, GOOD))
    found = ("--from", "allennlp", "--annotations", "found.json")
    assert annotate(*found, "--output", "o.parquet") == 1
    assert "document 1: found.json:2: `document` must be" in capsys.readouterr().err
    assert annotate(*found, "--output", "o.parquet", "--resume", "--skip-failed") == 0
    assert ids() == ["0", "2"]


def test_files_of_something_else_are_refused(annotate, capsys):
    Path("found.json").write_text("CoreNLP request timed out.\nSorry.\n")
    found = ("--from", "allennlp", "--annotations", "found.json")
    assert annotate(*found, "--output", "o.parquet", "--skip-failed") == 2
    assert "found.json:1: must be JSON" in capsys.readouterr().err
    assert not Path("o.parquet.parts").exists()


def test_what_stands_twice_is_counted(annotate, capsys):
    twice = {"document": ["a", "b", "a"], "clusters": [[[0, 0], [2, 2], [2, 2]], []]}
    Path("found.json").write_text(json_lines(twice, GOOD))
    found = ("--from", "allennlp", "--annotations", "found.json")
    assert annotate(*found, "--output", "o.parquet") == 0
    assert "1 mentions stood twice; one was kept." in capsys.readouterr().err
    assert read_metadata("o.parquet")["num_repeated"] == 1
    assert annotate(*found, "--output", "p.json", "--format", "allennlp") == 0
    assert [d.annotation.clusters for d in FORMATS["allennlp"].read("p.json")] == [
        (((0, 1), (2, 3)),)
    ] * 2


def test_documents_without_clusters_are_told_of(annotate, capsys):
    token = {"index": 1, "word": "a"}
    record = {"sentences": [{"index": 0, "tokens": [token]}]}
    Path("found.json").write_text(json_lines(record, record | {"corefs": {}}))
    found = ("--from", "corenlp", "--annotations", "found.json")
    assert annotate(*found, "--output", "o.parquet") == 0
    assert "1 of 2 documents say nothing of clusters" in capsys.readouterr().err
    Path("found.conll").write_text(CONLL.replace("(1", "-"))
    found = ("--from", "conll2012", "--annotations", "found.conll")
    assert annotate(*found, "--output", "p.parquet") == 0
    assert "Not one of 3 documents has a cluster." in capsys.readouterr().err


def test_parquet_of_others_as_annotations(annotate):
    spans = [{"start": 0, "end": 1}, {"start": 4, "end": 5}]
    rows = {
        "id": ["test-00002", "test-00001", "test-00000"],
        "tokens": [line.split()[:-1] for line in PASSAGES.splitlines()[::-1]],
        "clusters": [[], [], [spans]],
    }
    pq.write_table(pa.table(rows), "found.parquet")
    found = ("--from", "parquet", "--annotations", "found.parquet")
    assert annotate("lambada_test.txt", *found, "--output", "o.parquet") == 0
    first, *_ = read_annotations("o.parquet")
    assert first.annotation.clusters == (((0, 1), (4, 5)),)
    assert read_metadata("o.parquet")["resolver"]["matched"] == "id"


def program(*arguments, **options):
    return subprocess.Popen(
        [sys.executable, ROOT / "tools" / "annotate.py", *arguments],
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])},
        stderr=subprocess.PIPE,
        **options,
    )


STREAM = ("--input", "lambada", "--resolver", "exact", "--output")


@pytest.mark.skipif(not Path("/dev/stdin").exists(), reason="needs /dev/stdin")
@pytest.mark.parametrize("name", ["-", "/dev/stdin", "/dev/fd/0"])
def test_standard_input_is_read_once(tmp_path, name):
    out = tmp_path / "o.parquet"
    tool = program(name, *STREAM, out, stdin=subprocess.PIPE)
    _, errors = tool.communicate(PASSAGES.encode())
    assert tool.returncode == 0, errors
    assert len(ids(out)) == 3
    again = program(name, *STREAM, out, "--resume", stdin=subprocess.PIPE)
    _, errors = again.communicate(PASSAGES.replace("ran", "hid").encode())
    assert again.returncode == 2 and b"--output must not exist" in errors
    empty = program(name, *STREAM, tmp_path / "p.parquet", stdin=subprocess.DEVNULL)
    _, errors = empty.communicate()
    assert empty.returncode == 2 and b"must hold a document" in errors


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
def test_a_pipe_is_read_once(annotate):
    os.mkfifo("pipe")
    writing = threading.Thread(target=lambda: Path("pipe").write_text(PASSAGES))
    writing.start()
    assert annotate("pipe", "--input", "lambada", "--output", "o.parquet") == 0
    writing.join()
    assert ids() == ["pipe-00000", "pipe-00001", "pipe-00002"]


@pytest.mark.parametrize("kind", ["lambada", "allennlp", "conll2012", "wikihop"])
def test_no_document_is_no_success(annotate, kind, capsys):
    Path("empty").write_text("[]" if kind == "wikihop" else "\n")
    assert annotate("empty", "--input", kind, "--output", "o.parquet") == 2
    assert "empty: must hold a " in capsys.readouterr().err


def test_a_parquet_without_rows_is_no_success(annotate, capsys):
    none = {
        "id": pa.array([], pa.string()),
        "tokens": pa.array([], pa.list_(pa.string())),
    }
    pq.write_table(pa.table(none), "in.parquet")
    assert annotate("in.parquet", "--output", "o.parquet") == 2
    assert "in.parquet: must hold a document" in capsys.readouterr().err


@pytest.mark.parametrize("form", ["parquet", "allennlp"])
def test_a_link_is_followed_and_modes_are_kept(annotate, form):
    Path("there").mkdir()
    Path("there/o").write_text("old")
    Path("there/o").chmod(0o640)
    Path("link").symlink_to("there/o")
    arguments = ("lambada_test.txt", "--format", form, "--output", "link")
    assert annotate(*arguments) == 2
    assert annotate(*arguments, "--overwrite") == 0
    assert Path("link").is_symlink() and Path("there/o").read_bytes() != b"old"
    assert Path("there/o").stat().st_mode & 0o777 == 0o640
    assert sorted(os.listdir("there")) == ["o"]


def test_devices_are_not_replaced(annotate, capsys):
    for device in ("/dev/null", "/dev/stdout"):
        arguments = ("lambada_test.txt", "--output", device, "--overwrite")
        assert annotate(*arguments) == 2
        assert "--output must be a regular file" in capsys.readouterr().err
    assert not Path("/dev/null").is_file()


@pytest.mark.parametrize("option", ["--output", "inputs", "--annotations"])
@pytest.mark.parametrize(
    "address", ["gs://b/x.json", "s3://b/x.json", "https://x/x.json"]
)
def test_addresses_are_refused(annotate, option, address, capsys):
    arguments = {
        "--output": ("lambada_test.txt", "--output", address),
        "inputs": (address, "--output", "o.parquet"),
        "--annotations": (
            *("--from", "allennlp", "--annotations", address),
            *("--output", "o.parquet"),
        ),
    }[option]
    assert annotate(*arguments) == 2
    name = "--inputs" if option == "inputs" else option
    assert f"{name} must be a path of this machine" in capsys.readouterr().err
    assert os.listdir() == ["lambada_test.txt"]


def test_a_tilde_is_the_home_folder(annotate, monkeypatch):
    Path("home").mkdir()
    monkeypatch.setenv("HOME", str(Path("home").absolute()))
    Path("lambada_test.txt").rename("home/lambada_test.txt")
    assert annotate("~/lambada_test.txt", "--output", "~/o.parquet") == 0
    assert (
        annotate("--from", "parquet", "--annotations", "~/o.parquet", "--output=~/p")
        == 0
    )
    assert sorted(os.listdir("home")) == ["lambada_test.txt", "o.parquet", "p"]
    assert os.listdir() == ["home"]


SLOW = """
import time
from keras_cgru.coref import ExactMatchResolver

class Slow(ExactMatchResolver):
    def resolve(self, tokens, sentence_starts=None):
        time.sleep(0.5)
        return super().resolve(tokens, sentence_starts)
"""


@pytest.mark.skipif(os.name != "posix", reason="a terminal's Ctrl-C is a signal here")
@pytest.mark.parametrize("pause", [0.0, 0.005, 0.03, 0.2])
def test_ctrl_c_twice_does_not_hang(tmp_path, pause):
    (tmp_path / "slow_resolver.py").write_text(SLOW)
    text = " ".join(["x" * 99, "cat"] * 1000)
    (tmp_path / "lambada_test.txt").write_text(
        "".join(f"d{n} cat , {text} end\n" for n in range(20))
    )
    tool = program(
        *("lambada_test.txt", "--resolver", "slow_resolver:Slow", "--jobs", "2"),
        *("--output", "o"),
        cwd=tmp_path,
        start_new_session=True,
    )
    end = time.monotonic() + 60
    while not list(tmp_path.glob("o.parts/part-*")):
        assert time.monotonic() < end and tool.poll() is None
        time.sleep(0.02)
    begin = time.monotonic()
    for _ in range(2):
        try:
            os.killpg(tool.pid, signal.SIGINT)
        except ProcessLookupError:
            break
        time.sleep(pause)
    _, errors = tool.communicate(timeout=10)
    assert time.monotonic() - begin < 5
    assert tool.returncode in (130, -signal.SIGINT)
    assert b"spawn_main" not in errors
