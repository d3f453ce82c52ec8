"""tools/annotate.py: what it writes, what it must not write over, what it leaves."""

import importlib.util
import json
import os
import sys
from pathlib import Path

import pytest

from keras_cgru.coref import Annotation
from keras_cgru.coref.annotating import (
    ResolverSettings,
    read_annotations,
    read_metadata,
)
from keras_cgru.coref.annotating.outputs.job import describe_job
from keras_cgru.coref.annotating.outputs.part_folder import PartFolder
from keras_cgru.coref.annotating.run import assemble
from keras_cgru.coref.document import Document
from keras_cgru.coref.formats import FORMATS
from keras_cgru.data.lambada.input_kind import LAMBADA

pytest.importorskip("pyarrow", reason="the tool writes Parquet")
pytest.importorskip("nltk", reason="running text is tokenised with nltk")

ROOT = Path(__file__).resolve().parents[2]
PASSAGES = "ann saw ben . he saw ann\nben left . she saw ben\nann ran . he ran\n"


@pytest.fixture
def annotate(tmp_path, monkeypatch):
    """Runs the command line, with the exact resolver, in an empty folder."""
    path = ROOT / "tools" / "annotate.py"
    spec = importlib.util.spec_from_file_location("annotate_tool", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.chdir(tmp_path)
    Path("lambada_test.txt").write_text(PASSAGES)
    Path("story.txt").write_text("Ann had a cat. The cat slept.\n\nAnn left it.")

    def run(*arguments):
        given = {"--from", "--resolver"} & {*map(str, arguments)}
        options = () if given else ("--resolver", "exact")
        return module.main([*map(str, arguments), *options, "--jobs", "1"])

    run.module = module
    return run


RELEASED = ("lambada_test.txt", "--format", "released-lambada")


def stopped(*_, **__):
    raise KeyboardInterrupt


def test_the_released_form_has_the_answers(annotate):
    assert annotate(*RELEASED, "--output", "test.coref_onehot") == 0
    documents = FORMATS["released-lambada"].read(Path("test.coref_onehot"))
    texts = [" ".join(document.annotation.tokens) for document in documents]
    assert texts == PASSAGES.splitlines()
    # The answer is written, but nothing was linked to it.
    assert documents[1].annotation.clusters == ()


def test_other_systems_clusters_get_the_answers_too(annotate):
    other = ("--format", "allennlp", "--output", "other.json")
    assert annotate("lambada_test.txt", *other) == 0
    found = ("--from", "allennlp", "--annotations", "other.json")
    assert annotate(*RELEASED, *found, "--output", "test.coref_onehot") == 0
    passages = Path("test.data").read_text()
    assert passages == PASSAGES


def test_the_released_form_is_not_made_without_answers(annotate, capsys):
    assert annotate("lambada_test.txt", "--output", "o.parquet") == 0
    released = ("--format", "released-lambada", "--output", "o.coref_onehot")
    assert annotate("o.parquet", *released) == 2
    assert "o.parquet: for --format released-lambada" in capsys.readouterr().err
    assert annotate("story.txt", "--output", "p.parquet") == 0
    assert annotate("p.parquet", *released) == 0


def test_a_passage_of_the_answer_alone(annotate):
    Path("lambada_test.txt").write_text("ann\n")
    assert annotate(*RELEASED, "--output", "test.coref_onehot") == 0
    assert Path("test.data").read_text() == "ann\n"


def test_parts_with_and_without_answers_are_not_mixed(annotate, capsys):
    path = "lambada_test.txt"
    job = describe_job(LAMBADA, [path], ResolverSettings("exact").to_dict(), None)
    PartFolder("o.coref_onehot", job).start(resume=False)
    assert annotate(*RELEASED, "--output", "o.coref_onehot", "--resume") == 2
    assert "must go on with the same answers, here True" in capsys.readouterr().err
    assert annotate(path, "--output", "o.coref_onehot", "--resume") == 0


def test_a_file_beside_the_output_is_not_replaced_unasked(annotate, capsys):
    Path("test.data").write_text("ORIGINAL")
    arguments = (*RELEASED, "--output", "test.coref_onehot")
    assert annotate(*arguments) == 2
    said = capsys.readouterr().err
    assert "must not exist, unless with --overwrite. Received: test.data" in said
    assert Path("test.data").read_text() == "ORIGINAL"
    assert not Path("test.coref_onehot").exists()
    assert annotate(*arguments, "--overwrite") == 0
    assert Path("test.data").read_text() == PASSAGES


@pytest.mark.parametrize("appears", ["test.data", "test.coref_onehot"])
def test_a_file_that_appears_while_a_run_is_stopped_is_left_alone(
    annotate, appears, capsys, monkeypatch
):
    arguments = (*RELEASED, "--output", "test.coref_onehot")

    def assemble_and_stop(*arguments, **options):
        assemble(*arguments, **options)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(annotate.module, "assemble", assemble_and_stop)
        assert annotate(*arguments) == 130
    # The run's own outputs are no others'.
    assert Path(appears).exists()
    assert annotate(*arguments, "--resume") == 0

    for file in ("test.data", "test.coref_onehot"):
        Path(file).unlink()
    with monkeypatch.context() as patch:
        patch.setattr(PartFolder, "claim", stopped)
        assert annotate(*arguments) == 130
    Path(appears).write_text("OTHER")
    assert annotate(*arguments, "--resume") == 2
    assert f"Received: {appears}, which was not there" in capsys.readouterr().err
    assert Path(appears).read_text() == "OTHER"
    Path(appears).unlink()
    assert annotate(*arguments, "--resume") == 0


def test_a_file_that_appears_during_a_run_is_left_alone(annotate, capsys, monkeypatch):
    claim = PartFolder.claim

    def late(self, outputs):
        outputs[0].write_text("OTHER")
        claim(self, outputs)

    arguments = ("story.txt", "--output", "out.parquet")
    with monkeypatch.context() as patch:
        patch.setattr(PartFolder, "claim", late)
        assert annotate(*arguments) == 2
    assert "Move it away, and --resume goes on" in capsys.readouterr().err
    assert Path("out.parquet").read_text() == "OTHER"
    Path("out.parquet").unlink()
    assert annotate(*arguments, "--resume") == 0


def test_a_replacement_that_was_stopped_goes_on(annotate, monkeypatch):
    arguments = ("story.txt", "--output", "out.parquet")
    Path("out.parquet").write_text("OLD")

    with monkeypatch.context() as patch:
        patch.setattr(PartFolder, "claim", stopped)
        assert annotate(*arguments, "--overwrite") == 130
    assert Path("out.parquet").read_text() == "OLD"
    assert annotate(*arguments, "--resume") == 0
    assert Path("out.parquet").read_bytes() != b"OLD"


@pytest.mark.parametrize("form", ["allennlp", "released-lambada"])
def test_a_finished_output_of_any_form_needs_no_resume(annotate, form, capsys):
    output = "out.coref_onehot"
    arguments = ("lambada_test.txt", "--format", form, "--output", output)
    assert annotate(*arguments) == 0
    before = Path(output).read_bytes()
    assert annotate(*arguments, "--resume") == 0
    assert "out.coref_onehot is there" in capsys.readouterr().err
    assert annotate(*arguments) == 2
    assert Path(output).read_bytes() == before
    if form == "released-lambada":
        # One of two files is no finished output.
        Path(output).unlink()
        assert annotate(*arguments, "--resume") == 2


REFUSED = {
    "suffix": ("--format", "released-lambada", "--output", "o.json"),
    "folder": ("--overwrite", "--output", "folder"),
    "folder beside": (
        *("--format", "released-lambada", "--overwrite"),
        *("--output", "folder.coref_onehot"),
    ),
    "input": ("--overwrite", "--output", "../here/none.txt"),
    "input beside": (
        *("--format", "released-lambada", "--overwrite"),
        *("--output", "none.coref_onehot"),
    ),
}
RULES = {
    "suffix": "must end in .coref_onehot",
    "folder": "--output must not be a folder. Received: folder",
    "folder beside": "--output must not be a folder. Received: folder.data",
    "input": "--output must not replace an input. Received: ../here/none.txt",
    "input beside": "--output must not replace an input. Received: none.data",
}


@pytest.mark.parametrize("case", REFUSED)
def test_outputs_are_refused_before_anything_is_read(
    annotate, tmp_path, monkeypatch, capsys, case
):
    for name in ("folder", "folder.data", "here"):
        (tmp_path / name).mkdir()
    monkeypatch.chdir(tmp_path / ("here" if case.startswith("input") else ""))
    # There is no such file: an earlier complaint would be about it.
    inputs = ("none.txt", "none.data", "--input", "text")
    if case.startswith("input"):
        for name in inputs[:2]:
            Path(name).write_text("An input.")
    assert annotate(*inputs, *REFUSED[case]) == 2
    assert RULES[case] in capsys.readouterr().err
    if case.startswith("input"):
        assert {Path(name).read_text() for name in inputs[:2]} == {"An input."}


def test_a_folder_of_the_users_own_is_left_alone(annotate, capsys):
    Path("o.parquet.parts").mkdir()
    Path("o.parquet.parts", "thesis.txt").write_text("ORIGINAL")
    for options in ((), ("--overwrite",)):
        assert annotate("story.txt", "--output", "o.parquet", *options) == 2
        assert "o.parquet.parts must hold nothing but" in capsys.readouterr().err
    assert os.listdir("o.parquet.parts") == ["thesis.txt"]


def test_files_of_one_name_may_be_typed_anew_at_a_resume(annotate, tmp_path, capsys):
    for folder in "ab":
        Path(folder).mkdir()
        Path(folder, "x.txt").write_text("Ann left. Ann is gone.")
    typed = ["a/x.txt", "b/x.txt"]
    whole = [tmp_path / path for path in typed]
    assert annotate(*typed, "--output", "o.parquet") == 0
    assert annotate(*whole, "--output", "p.parquet") == 0
    assert Path("o.parquet").read_bytes() == Path("p.parquet").read_bytes()
    assert [each.id for each in read_annotations("o.parquet")] == ["a/x", "b/x"]
    assert annotate(*whole, "--output", "o.parquet", "--resume") == 0
    # Other folders are other ids.
    Path("b").rename("c")
    assert annotate("a/x.txt", "c/x.txt", "--output", "o.parquet", "--resume") == 2


def test_a_document_that_no_file_can_hold_is_left_out(annotate, capsys):
    records = [{"id": f"WH_{n}", "supports": [t]} for n, t in enumerate("ab")]
    records.insert(1, {"id": "WH_x", "supports": ["x \ud800 y."]})
    Path("dev.json").write_text(json.dumps(records))
    arguments = ("dev.json", "--output", "o.parquet")
    assert annotate(*arguments) == 1
    assert "annotate: document WH_x: ValueError: the text" in capsys.readouterr().err
    assert annotate(*arguments, "--resume", "--skip-failed") == 0
    assert [each.id for each in read_annotations("o.parquet")] == ["WH_0", "WH_1"]


UNSAYABLE = {
    "conll2012": Annotation(("a b",)),
    "released-lambada": Annotation(("a b",)),
    "corenlp": Annotation("a b c".split(), [[(0, 2), (2, 3)]], (0, 1)),
}


@pytest.mark.parametrize("form", UNSAYABLE)
def test_documents_that_a_format_cannot_say_are_named(annotate, form, capsys):
    documents = [Document(id, Annotation(("a",))) for id in "vwxyz"]
    for place in (1, 4):
        documents[place] = Document(documents[place].id, UNSAYABLE[form])
    FORMATS["allennlp"].write("all.json", documents)
    found = ("--from", "allennlp", "--annotations", "all.json")
    arguments = (*found, "--format", form, "--output", "o.coref_onehot")
    assert annotate(*arguments) == 1
    said = capsys.readouterr().err
    assert "annotate: document w: " in said and "annotate: document z: " in said
    assert "2 of 5 documents failed" in said and "document v" not in said
    assert sorted(os.listdir()) == sorted(
        ["all.json", "lambada_test.txt", "o.coref_onehot.parts", "story.txt"]
    )
    assert annotate(*arguments, "--resume", "--skip-failed") == 0
    assert "3 documents, 3 tokens" in capsys.readouterr().err
    assert len(FORMATS[form].read(Path("o.coref_onehot"))) == 3
    assert not Path("o.coref_onehot.parts").exists()


def test_a_limited_output_fits_a_limited_input(annotate):
    limited = ("lambada_test.txt", "--limit", "2")
    for limit in ((), ("--limit", "2")):
        form = ("--format", "released-lambada", "--output", "o.coref_onehot")
        assert annotate("lambada_test.txt", *limit, *form, "--overwrite") == 0
        found = ("--from", "released-lambada", "--annotations", "o.coref_onehot")
        assert annotate(*limited, *found, "--output", "o.parquet", "--overwrite") == 0
        ids = [each.id for each in read_annotations("o.parquet")]
        assert ids == ["test-00000", "test-00001"]


def test_a_resolver_that_is_nowhere(annotate, capsys):
    arguments = ("story.txt", "--output", "o.parquet")
    assert annotate(*arguments, "--resolver", "no_such_module:make") == 2
    assert "resolver no_such_module:make: No module named" in capsys.readouterr().err


def test_resolvers_lie_in_the_current_folder_too(annotate, monkeypatch):
    monkeypatch.setattr("sys.path", list(sys.path))
    code = "from keras_cgru.coref import ExactMatchResolver as make"
    Path("a_resolver_of_mine.py").write_text(code)
    arguments = ("story.txt", "--output", "o.parquet")
    assert annotate(*arguments, "--resolver", "a_resolver_of_mine:make") == 0
    assert read_metadata("o.parquet")["resolver"]["name"] == "a_resolver_of_mine:make"
