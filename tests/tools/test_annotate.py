"""tools/annotate.py: inputs, outputs and errors, within this process."""

import hashlib
import importlib.util
import json
import os
from pathlib import Path

import pytest

from keras_cgru.coref import Annotation
from keras_cgru.coref.annotating import read_annotations, read_metadata
from keras_cgru.coref.document import Document
from keras_cgru.coref.formats import FORMATS
from keras_cgru.data.wikihop.written_document import support_order

pytest.importorskip("pyarrow", reason="the tool writes Parquet")
pytest.importorskip("nltk", reason="running text is tokenised with nltk")

ROOT = Path(__file__).resolve().parents[2]
STORY = "Ann had a cat. The cat slept.\n\nAnn left it."


@pytest.fixture(scope="module")
def annotate():
    path = ROOT / "tools" / "annotate.py"
    spec = importlib.util.spec_from_file_location("annotate_tool", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)

    def run(*arguments):
        return module.main([*map(str, arguments), "--jobs", "1"])

    return run


@pytest.fixture
def story(tmp_path):
    path = tmp_path / "story.txt"
    path.write_text(STORY)
    return path


@pytest.fixture
def out(tmp_path):
    return tmp_path / "out.parquet"


def exact(*arguments):
    return (*arguments, "--resolver", "exact")


def test_text_to_parquet(annotate, story, out, capsys):
    assert annotate(*exact(story, "--output", out)) == 0
    (document,) = read_annotations(out)
    assert document.id == "story"
    assert document.annotation == Annotation(
        "Ann had a cat . The cat slept . Ann left it .".split(),
        [[(0, 1), (9, 10)], [(3, 4), (6, 7)]],
        (0, 5, 9),
    )
    metadata = read_metadata(out)
    digest = hashlib.sha256(STORY.encode()).hexdigest()
    assert metadata["sources"] == [{"name": "story.txt", "sha256": digest}]
    assert metadata["resolver"]["name"] == "exact"
    assert metadata["input"] == "text"
    assert metadata["tokeniser"].startswith("nltk ")
    assert (metadata["num_documents"], metadata["failed"]) == (1, [])
    said = capsys.readouterr().err
    assert "1 documents, 13 tokens" in said and "tokens/s" in said
    assert sorted(path.name for path in out.parent.iterdir()) == [
        "out.parquet",
        "story.txt",
    ]


def test_the_default_is_the_sieve(annotate, story, out):
    assert annotate(story, "--output", out) == 0
    assert read_metadata(out)["resolver"]["name"] == "sieve"
    (document,) = read_annotations(out)
    cat = {c for c in document.annotation.clusters if (5, 7) in c}
    assert cat, document.annotation.clusters


def test_annotations_are_prepared_documents_again(annotate, story, out, tmp_path):
    assert annotate(*exact(story, "--output", out)) == 0
    again = tmp_path / "again.parquet"
    arguments = exact(out, "--option", "min_length=4", "--output", again)
    assert annotate(*arguments) == 0
    (document,) = read_annotations(again)
    assert document.annotation.sentence_starts == (0, 5, 9)
    assert document.annotation.clusters == ()
    assert read_metadata(again)["resolver"]["options"] == {"min_length": 4}


@pytest.mark.parametrize("form", ["allennlp", "conll2012", "corenlp", "fastcoref"])
def test_other_forms_out_and_in(annotate, story, out, tmp_path, form):
    other = tmp_path / "other"
    assert annotate(*exact(story, "--output", other, "--format", form)) == 0
    (document,) = FORMATS[form].read(other)
    clusters = document.annotation.clusters
    assert clusters == (((0, 1), (9, 10)), ((3, 4), (6, 7)))
    # Without inputs these are the documents themselves.
    assert annotate("--from", form, "--annotations", other, "--output", out) == 0
    assert next(read_annotations(out)).annotation.clusters == clusters
    assert read_metadata(out)["resolver"]["name"] == f"from {form}"


def test_another_systems_output_lands_on_the_tokens(annotate, tmp_path, out, capsys):
    passages = tmp_path / "lambada_test_plain_text.txt"
    passages.write_text(
        "the third-largest town `` is '' here , but the town sleeps\n"
        "ann 's dog , said ben , ca n't bark at ann . he knows ben\n"
    )
    found = tmp_path / "allennlp.json"
    # Other quotes, split hyphens and clitics in one piece.
    documents = [
        Annotation(
            'the third - largest town " is " here , but the town'.split(),
            [[(0, 5), (11, 13)]],
        ),
        Annotation(
            "ann's dog , said ben , can't bark at ann . he knows zoe".split(),
            [[(0, 1), (9, 10)], [(4, 5), (11, 12), (13, 14)]],
        ),
    ]
    FORMATS["allennlp"].write(
        found, [Document(str(n), each) for n, each in enumerate(documents)]
    )
    arguments = (passages, "--from", "allennlp", "--annotations", found)
    assert annotate(*arguments, "--output", out) == 0
    first, second = read_annotations(out)
    assert (first.id, second.id) == ("test-00000", "test-00001")
    assert first.annotation.clusters == (((0, 3), (9, 11)),)
    assert second.annotation.tokens[-1] == "knows"
    assert second.annotation.clusters == (((0, 2), (11, 12)), ((5, 6), (13, 14)))
    said = capsys.readouterr().err
    assert "matched by order" in said and "1 mentions had no place" in said
    assert read_metadata(out)["num_unplaced"] == 1


def test_windows(annotate, tmp_path, out):
    passages = tmp_path / "lambada_test_plain_text.txt"
    passages.write_text("ann a b c d ann e f g h ann i\n")
    arguments = exact(passages, "--window", "4", "--overlap", "1")
    assert annotate(*arguments, "--output", out) == 0
    assert next(read_annotations(out)).annotation.clusters == ()
    assert annotate(*exact(passages), "--overwrite", "--output", out) == 0
    (cluster,) = next(read_annotations(out)).annotation.clusters
    assert cluster == ((0, 1), (5, 6), (10, 11))


def test_preview_writes_nothing(annotate, story, capsys):
    assert annotate(*exact(story, "--preview", "1")) == 0
    assert capsys.readouterr().out.splitlines()[:3] == [
        "# story",
        "[Ann]1 had a [cat]2 .",
        "The [cat]2 slept .",
    ]
    assert list(story.parent.iterdir()) == [story]


def test_limit(annotate, tmp_path, out):
    passages = tmp_path / "lambada_test_plain_text.txt"
    passages.write_text("a b , c\n" * 5)
    assert annotate(*exact(passages, "--limit", "2", "--output", out)) == 0
    assert len(list(read_annotations(out))) == 2


FLAKY = """
import os
from keras_cgru.coref import ExactMatchResolver

class Flaky(ExactMatchResolver):
    def resolve(self, tokens, sentence_starts=None):
        if os.environ.get("FLAKY_FAILS") and "bad" in tokens:
            raise OverflowError("no luck")
        return super().resolve(tokens, sentence_starts)
"""


@pytest.fixture
def flaky(tmp_path, monkeypatch):
    """Three passages, the second of which fails while FLAKY_FAILS is set."""
    folder = tmp_path / "modules"
    folder.mkdir()
    (folder / "flaky_resolver.py").write_text(FLAKY)
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.setenv("FLAKY_FAILS", "1")
    passages = tmp_path / "lambada_test_plain_text.txt"
    passages.write_text("a b , c\nbad b , c\na c , c\n")
    return passages, "--resolver", "flaky_resolver:Flaky"


def test_one_failure_costs_the_others_nothing(
    annotate, flaky, out, tmp_path, monkeypatch, capsys
):
    assert annotate(*flaky, "--output", out) == 1
    said = capsys.readouterr().err
    assert "annotate: document test-00001: OverflowError: no luck" in said
    assert "1 of 3 documents failed" in said
    assert not out.exists()
    assert annotate(*flaky, "--output", out, "--resume") == 1
    monkeypatch.delenv("FLAKY_FAILS")
    assert annotate(*flaky, "--output", out, "--resume") == 0
    whole = tmp_path / "whole.parquet"
    assert annotate(*flaky, "--output", whole) == 0
    assert out.read_bytes() == whole.read_bytes()


def test_failures_can_be_left_out(annotate, flaky, out):
    assert annotate(*flaky, "--output", out, "--skip-failed") == 0
    assert [each.id for each in read_annotations(out)] == ["test-00000", "test-00002"]
    assert read_metadata(out)["failed"] == ["test-00001"]


def test_an_output_is_not_replaced_unasked(annotate, story, out, capsys):
    arguments = exact(story, "--output", out)
    assert annotate(*arguments) == 0
    before = out.read_bytes()
    assert annotate(*arguments) == 2
    assert "--output must not exist, unless with --overwrite" in capsys.readouterr().err
    assert annotate(*arguments, "--resume") == 0
    assert "is complete" in capsys.readouterr().err
    assert annotate(*arguments, "--resume", "--option", "min_length=4") == 2
    assert out.read_bytes() == before
    assert annotate(*arguments, "--overwrite", "--option", "min_length=4") == 0
    assert out.read_bytes() != before


def test_a_stopped_run_is_not_forgotten_unasked(annotate, flaky, out, capsys):
    assert annotate(*flaky, "--output", out) == 1
    assert annotate(*flaky, "--output", out) == 2
    assert (
        "--resume goes on with it, --overwrite begins anew" in capsys.readouterr().err
    )
    passages = flaky[0]
    passages.write_text(passages.read_text() + "a b , c\n")
    assert annotate(*flaky, "--output", out, "--resume") == 2
    assert "--resume must go on with the same sources" in capsys.readouterr().err
    assert annotate(*flaky, "--output", out, "--overwrite", "--skip-failed") == 0
    assert len(list(read_annotations(out))) == 3


RAW = '"Don\'t," said Ann, "I\'ll go."\n'

WRONG = {
    "no input": ((), "there must be an input file"),
    "no output": (("story.txt",), "--output must name the file"),
    "no annotations": (("story.txt", "--from", "corenlp"), "must be given together"),
    "two ways": (("story.txt", "--resume", "--overwrite"), "not be given together"),
    "overlap alone": (("story.txt", "--overlap", "3"), "must come with --window"),
    "overlap": (("story.txt", "--window", "3", "--overlap", "3"), "below the window"),
    "form": (("story.txt", "--format", "xml"), "--format must be one of parquet"),
    "kind": (("story.txt", "--input", "xml"), "--input must be one of text"),
    "no kind": (("story.conll",), "--input must say what story.conll holds"),
    "kinds": (("story.txt", "a.parquet"), "inputs must be of one kind"),
    "resolver": (("story.txt", "--resolver", "best"), "must be one of sieve, exact"),
    "option": (("story.txt", "--option", "x"), "--option must be NAME=VALUE"),
    "argument": (exact("story.txt", "--option", "x=1"), "resolver exact: "),
    "no file": (("none.txt",), "none.txt"),
    "raw": (("lambada_raw.txt",), "lambada_raw.txt:1: the text must be the tokenised"),
    "bytes": (("latin.txt",), "latin.txt:2: must be UTF-8"),
    "json": (("--from", "corenlp", "--annotations", "timeout.json"), "timeout.json:1"),
}


@pytest.mark.parametrize("arguments, message", WRONG.values(), ids=WRONG)
def test_errors_are_one_line_and_status_2(
    annotate, story, monkeypatch, capsys, arguments, message
):
    monkeypatch.chdir(story.parent)
    Path("lambada_raw.txt").write_text(RAW * 3)
    Path("latin.txt").write_bytes(b"a\n\xe4")
    Path("timeout.json").write_text("CoreNLP request timed out.")
    before = sorted(os.listdir())
    output = () if message.startswith("--output") else ("--output", "out.parquet")
    assert annotate(*arguments, *output) == 2
    (line,) = [s for s in capsys.readouterr().err.splitlines() if "annotate:" in s]
    assert message in line
    assert sorted(os.listdir()) == before


def test_an_unreachable_server_ends_the_run_at_once(annotate, tmp_path, out, capsys):
    passages = tmp_path / "lambada_test_plain_text.txt"
    passages.write_text("a b , c\n" * 5)
    url = "url=http://127.0.0.1:1"
    arguments = (passages, "--resolver", "corenlp", "--option", url, "--output", out)
    assert annotate(*arguments) == 2
    said = capsys.readouterr().err
    assert said.count("must be a running CoreNLP server") == 1


def data_file(*names):
    folder = os.environ.get("KERAS_CGRU_DATA")
    if not folder:
        pytest.skip("KERAS_CGRU_DATA names no folder with the official files")
    return Path(folder, *names)


def test_lambada(annotate, out):
    path = data_file("lambada-dataset", "lambada_test_plain_text.txt")
    assert annotate(*exact(path, "--output", out)) == 0
    documents = list(read_annotations(out))
    lines = path.read_text(encoding="utf-8").splitlines()
    assert len(documents) == len(lines) == 5153
    assert documents[-1].annotation.tokens == tuple(lines[-1].split()[:-1])


def test_wikihop(annotate, out):
    path = data_file("qangaroo_v1.1", "wikihop", "dev.json")
    assert annotate(*exact(path, "--output", out)) == 0
    records = json.loads(path.read_text(encoding="utf-8"))
    documents = list(read_annotations(out))
    assert [each.id for each in documents] == [record["id"] for record in records]
    for document, record in zip(documents, records, strict=True):
        # No character is lost but spaces; double quotes become `` and ''.
        text = "".join(document.annotation.tokens).replace("``", '"').replace("''", '"')
        order = support_order(len(record["supports"]), record["id"])
        supports = "".join(record["supports"][support] for support in order)
        expected = "".join(supports.split()).replace("''", '"')
        assert text == expected.replace("``", '"')


def test_litbank_through_the_formats(annotate, out):
    folder = data_file("coref", "litbank")
    files = sorted(folder.glob("*.conll"))
    arguments = ("--from", "conll2012", "--annotations", *files)
    assert annotate(*arguments, "--output", out) == 0
    gold = list(read_annotations(out))
    assert len(gold) == 5
    again = out.with_name("exact.parquet")
    arguments = exact(*files, "--input", "conll2012", "--output", again)
    assert annotate(*arguments) == 0
    for one, other in zip(gold, read_annotations(again), strict=True):
        assert one.annotation.tokens == other.annotation.tokens
        assert one.annotation.clusters != other.annotation.clusters
