"""tools/annotate.py: long texts, folders, standard input, a resume without options."""

import importlib.util
import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from keras_cgru.coref.annotating import read_annotations, read_metadata
from keras_cgru.coref.annotating.inputs import documents
from keras_cgru.coref.annotating.pieces.cut_pieces import LARGE_CHARACTERS, Pieces
from keras_cgru.coref.formats import FORMATS
from keras_cgru.coref.text import tokenise

pytest.importorskip("pyarrow", reason="the tool writes Parquet")
pytest.importorskip("nltk", reason="running text is tokenised with nltk")

ROOT = Path(__file__).resolve().parents[2]
TOOL = ROOT / "tools" / "annotate.py"
STORY = "Ann saw a cat. The cat saw her.\n\nBen left. He ran to Ann.\n\n"


@pytest.fixture(scope="module")
def tool():
    spec = importlib.util.spec_from_file_location("annotate_tool", TOOL)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def annotate(tool, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return lambda *arguments: tool.main([*map(str, arguments), "--jobs", "1"])


@pytest.fixture
def small_pieces(monkeypatch):
    """Pieces of a size that tests can afford."""
    small = Pieces(large=1000, size=600, shared=100)
    monkeypatch.setattr(documents.Pieces, "choose", lambda resolver: small)


def test_a_long_text_is_one_document(annotate, small_pieces, capsys):
    Path("a.txt").write_text(STORY)
    Path("long.txt").write_text(STORY * 60)
    assert annotate("a.txt", "long.txt", "--output", "o.parquet") == 0
    assert "in pieces of 600; a --window of" in capsys.readouterr().err
    short, long = read_annotations("o.parquet")
    assert (short.id, long.id) == ("a", "long")
    assert long.annotation.tokens == tokenise(STORY * 60)[0]
    assert max(map(len, long.annotation.clusters)) > 60
    metadata = read_metadata("o.parquet")
    assert metadata["resolver"]["pieces"] == {"characters": 600, "shared": 100}
    assert metadata["num_documents"] == 2
    assert annotate("a.txt", "--output", "short.parquet") == 0
    assert "pieces" not in read_metadata("short.parquet")["resolver"]


def test_other_formats_have_it_too(annotate, small_pieces):
    Path("long.txt").write_text(STORY * 60)
    assert annotate("long.txt", "--output", "o.parquet") == 0
    assert annotate("long.txt", "--output", "o.json", "--format", "allennlp") == 0
    (one,), (other,) = read_annotations("o.parquet"), FORMATS["allennlp"].read("o.json")
    assert one.annotation.clusters == other.annotation.clusters


def test_a_preview_shows_pieces_as_they_come(annotate, small_pieces, capsys):
    Path("long.txt").write_text(STORY * 60)
    assert annotate("long.txt", "a.txt", "--preview", "1", "--input", "text") == 2
    Path("a.txt").write_text(STORY)
    assert annotate("long.txt", "a.txt", "--preview", "1") == 0
    printed = capsys.readouterr().out
    assert "# long, piece 1 of " in printed and "# a\n" not in printed
    shown = " ".join(line for line in printed.splitlines() if line[:1] not in ("#", ""))
    assert shown.count("left .") == 60


@pytest.mark.parametrize("fails", [0, 3])
def test_a_piece_that_fails_is_tried_again(annotate, small_pieces, fails, capsys):
    Path("own.py").write_text(
        "import os\nfrom keras_cgru.coref import ExactMatchResolver\n\n\n"
        "class Own(ExactMatchResolver):\n"
        "    def resolve(self, tokens, sentence_starts=None):\n"
        "        if 'FAILS' in os.environ and 'Zoe' in tokens:\n"
        "            raise ValueError('no luck')\n"
        "        return super().resolve(tokens, sentence_starts)\n"
    )
    Path("long.txt").write_text(STORY * 10 * fails + "Zoe left.\n\n" + STORY * 60)
    Path("a.txt").write_text(STORY)
    own = ("a.txt", "long.txt", "--resolver", "own:Own", "--output")
    assert annotate(*own, "whole") == 0
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FAILS", "1")
        assert annotate(*own, "o") == 1
        assert "1 of 2 documents failed" in capsys.readouterr().err
        assert annotate("--resume", "--output", "o", "--skip-failed") == 0
        assert [each.id for each in read_annotations("o")] == ["a"]
        assert read_metadata("o")["num_documents"] == 1
        assert annotate(*own, "p") == 1
    assert annotate("--resume", "--output", "p") == 0
    assert Path("p").read_bytes() == Path("whole").read_bytes()


def test_who_reads_long_texts_whole_is_told(annotate, capsys):
    text = STORY + "x" * 9000 + "\n\n"
    Path("long.txt").write_text(text * (1 + LARGE_CHARACTERS // len(text)))
    assert annotate("long.txt", "--resolver", "exact", "--output", "o") == 0
    assert "are read as a whole" in capsys.readouterr().err
    assert "pieces" not in read_metadata("o")["resolver"]


def test_a_folder_is_its_files_in_order(annotate, capsys):
    Path("texts/below").mkdir(parents=True)
    for name in ("b.txt", "a.text", "c.TXT", "notes.md", ".hidden.txt", "below/d.txt"):
        Path("texts", name).write_text(STORY)
    Path("z.txt").write_text(STORY)
    assert annotate("z.txt", "texts", "--output", "o") == 0
    assert [each.id for each in read_annotations("o")] == ["z", "a", "b", "c"]
    Path("texts/w.json").write_text("[]")
    assert annotate("texts", "--output", "p") == 2
    assert "INPUTS must be of one kind" in flat(capsys)
    assert annotate("texts", "--input", "text", "--output", "p") == 0
    assert len(list(read_annotations("p"))) == 3
    # A format of which names say nothing: all files, the hidden one left out.
    assert annotate("texts/below", "--input", "allennlp", "--output", "q") == 2
    assert "d.txt:1: must be JSON" in flat(capsys)


def flat(capsys):
    return (
        capsys.readouterr()
        .err.replace("`inputs`", "INPUTS")
        .replace("--inputs", "INPUTS")
    )


def test_an_empty_folder_is_refused(annotate, capsys):
    Path("texts").mkdir()
    Path("texts/notes.md").write_text(STORY)
    assert annotate("texts", "--output", "o") == 2
    assert "texts, which holds no file of text (.txt, .text), .json" in flat(capsys)
    assert annotate("texts", "--input", "wikihop", "--output", "o") == 2
    assert "holds no file for --input wikihop" in flat(capsys)


def test_standard_input_is_text(tmp_path):
    out = tmp_path / "o.parquet"
    done = subprocess.run(
        [sys.executable, TOOL, "-", "--output", out],
        input=STORY.encode(),
        capture_output=True,
        env=environment(),
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    (document,) = read_annotations(out)
    assert document.id == "stdin"
    assert document.annotation.tokens == tokenise(STORY)[0]


def environment():
    return os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}


SLOW = """
import time
from keras_cgru.coref import ExactMatchResolver

class Slow(ExactMatchResolver):
    def resolve(self, tokens, sentence_starts=None):
        time.sleep(0.2)
        return super().resolve(tokens, sentence_starts)
"""


@pytest.fixture(scope="module")
def long_run(tmp_path_factory):
    """A folder with a text that is read in five pieces, slowly, and its annotation."""
    folder = tmp_path_factory.mktemp("long")
    (folder / "slow_resolver.py").write_text(SLOW)
    text = "Ann saw a cat.\n\n" + "x" * 9000 + "\n\n"
    (folder / "long.txt").write_text(text * (1 + LARGE_CHARACTERS // len(text)))
    run = start(folder, "whole", "--jobs", "1", *OPTIONS)
    _, errors = run.communicate(timeout=120)
    assert run.returncode == 0, errors
    return folder


# With its own window, since a resolver of one's own reads texts whole.
OPTIONS = ("long.txt", "--resolver", "slow_resolver:Slow", "--window", "100")


def start(folder, output, *arguments):
    return subprocess.Popen(
        [sys.executable, str(TOOL), *arguments, "--output", output],
        cwd=folder,
        env=environment(),
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


def wait_for_parts(run, folder, output):
    end = time.monotonic() + 60
    while not list((folder / f"{output}.parts").glob("part-*")):
        assert time.monotonic() < end and run.poll() is None
        time.sleep(0.02)


@pytest.mark.skipif(os.name != "posix", reason="a terminal's Ctrl-C is a signal here")
@pytest.mark.parametrize(
    ("jobs", "pauses"),
    [("1", ()), ("1", (0.0,)), ("2", ()), ("2", (0.01,)), ("2", (0.1, 0.0))],
)
def test_within_a_document_ctrl_c_stops_and_resume_needs_nothing(
    long_run, jobs, pauses
):
    """The signals go to the whole group, as a terminal sends them."""
    output = f"o-{jobs}-{len(pauses)}-{sum(pauses)}"
    run = start(long_run, output, "--jobs", jobs, *OPTIONS)
    wait_for_parts(run, long_run, output)
    os.killpg(run.pid, signal.SIGINT)
    for pause in pauses:
        time.sleep(pause)
        try:
            os.killpg(run.pid, signal.SIGINT)
        except ProcessLookupError:
            break
    _, errors = run.communicate(timeout=20)
    assert run.returncode in (130, -signal.SIGINT)
    assert b"spawn_main" not in errors
    assert list((long_run / f"{output}.parts").glob("part-*"))
    config = json.loads((long_run / f"{output}.parts/config.json").read_text())
    assert config["window"] == 100 and config["inputs"] == [f"{long_run}/long.txt"]
    again = start(long_run, output, "--resume")
    _, errors = again.communicate(timeout=120)
    assert again.returncode == 0, errors
    assert (long_run / output).read_bytes() == (long_run / "whole").read_bytes()


def test_an_option_that_differs_is_refused_and_none_is_needed_when_done(
    annotate, tool, monkeypatch, capsys
):
    Path("a.txt").write_text(STORY)

    def stop(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(tool, "make_output", stop)
        assert annotate("a.txt", "--resolver", "exact", "--output", "o") == 130
    assert annotate("--resume", "--output", "o", "--resolver", "sieve") == 2
    assert "must go on with the same resolver" in capsys.readouterr().err
    os.mkdir("elsewhere")
    monkeypatch.chdir("elsewhere")
    assert annotate("--resume", "--output", "../o") == 0
    assert read_metadata("../o")["resolver"]["name"] == "exact"
    assert annotate("--resume", "--output", "../o") == 0
    assert "o is there, and no unfinished run" in capsys.readouterr().err
    assert annotate("--resume", "--output", "../p") == 2
    assert "there must be an input file" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[]", "must hold an object"),
        ('{"inputs": [3]}', "must be a list of strings"),
        ('{"inputs": "a.txt"}', "must be a list of strings"),
        ('{"window": [3]}', "must be a string or a whole number"),
        ("{", "must be JSON"),
    ],
)
def test_kept_options_that_others_changed_are_named(annotate, content, message, capsys):
    Path("o.parts").mkdir()
    Path("o.parts/job.json").write_text("{}")
    Path("o.parts/config.json").write_text(content)
    assert annotate("--resume", "--output", "o") == 2
    said = capsys.readouterr().err
    assert "o.parts/config.json: " in said and message in said


def test_progress_is_shown_within_a_document(annotate, tool, small_pieces, monkeypatch):
    Path("long.txt").write_text(STORY * 60)
    shares = []
    line = tool.ProgressLine

    class Shown(line):
        def add(self, characters, tokens):
            super().add(characters, tokens)
            shares.append(float(self.line().split("%")[0]))

    monkeypatch.setattr(tool, "ProgressLine", Shown)
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    assert annotate("long.txt", "--output", "o") == 0
    assert len(shares) > 5 and shares == sorted(set(shares)) and shares[-1] == 100
