"""tools/score_coref.py through its command line."""

import importlib.util
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("scorch", reason="scores need scorch")

ROOT = Path(__file__).resolve().parents[2]
GOLD = sorted((ROOT / "tests" / "coref" / "sieve" / "gold").glob("*.conll"))
GAP = (
    "ID\tText\tPronoun\tPronoun-offset\tA\tA-offset\tA-coref\tB\tB-offset\tB-coref\tURL\n"
    "t-1\tAnna left. She met Tom.\tShe\t11\tAnna\t0\tTRUE\tTom\t19\tFALSE\tx\n"
)


@pytest.fixture(scope="module")
def score():
    path = ROOT / "tools" / "score_coref.py"
    spec = importlib.util.spec_from_file_location("score_coref_tool", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)

    def run(*arguments):
        return module.main([*map(str, arguments)])

    run.module = module
    return run


@pytest.fixture
def figures(score, tmp_path):
    def run(*arguments):
        assert score(*arguments, "--output", tmp_path / "out.json") == 0
        return json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))

    return run


def test_table_and_file_say_the_same(figures, capsys):
    conll = figures(*GOLD)["conll"]
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert lines[0] == ["10", "documents", "of", "CoNLL"]
    table = {line[0]: line[1:] for line in lines if line}
    assert table["CoNLL"] == [f"{100 * conll['conll_f1']:.2f}"]
    assert table["MUC"] == [
        f"{100 * conll['muc'][part]:.2f}" for part in ("recall", "precision", "f1")
    ]
    assert set(conll["conll_f1_of"]) == {path.stem for path in GOLD}


def test_settings_reach_the_resolver(figures):
    whole = figures(*GOLD)
    exact = figures(*GOLD, "--resolver", "exact")
    names = figures(*GOLD, "--links", "names,pronouns")
    lower = figures(*GOLD, "--lower")
    f1 = [each["conll"]["conll_f1"] for each in (whole, exact, names, lower)]
    assert f1[0] > f1[2] > f1[1] + 0.2
    assert f1[3] != f1[0]
    assert (exact["resolver"], names["links"]) == ("exact", ["names", "pronouns"])
    assert lower["lower"] and lower["tokens"] == whole["tokens"] > 500


def test_errors_are_counted_and_shown(figures, capsys):
    errors = figures(*GOLD, "--errors", 2)["conll"]["errors"]
    lines = capsys.readouterr().out.splitlines()
    (missed,) = [line.split() for line in lines if line.startswith("missed  ")]
    assert missed[1:] == [str(count) for count in errors["missed"].values()]
    assert sum(map(sum, [each.values() for each in errors.values()])) > 0
    after = lines[lines.index("missed") + 1 :]
    assert len([line for line in after[:2] if "[" in line]) == 2


def test_gap(figures, tmp_path, capsys):
    path = tmp_path / "gap.tsv"
    path.write_text(GAP)
    gap = figures(path)["gap"]
    assert (gap["examples"], gap["female"]["f1"], gap["bias"]) == (1, 1.0, None)
    assert "1 examples of GAP" in capsys.readouterr().out
    assert figures(path, "--resolver", "exact")["gap"]["all"]["f1"] == 0.0


def test_an_empty_file_of_gap_is_refused(score, tmp_path, capsys):
    path = tmp_path / "gap.tsv"
    path.write_text("")
    assert score(path) == 2
    assert "gap.tsv: must hold an example" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("content", "arguments", "error"),
    [
        ("no conll", (), "gold.conll:1: "),
        ("", (), "gold.conll: must hold a document. Received: none"),
        (None, (), "gold.conll"),
        ("", ("--links", "verbs"), "--links must hold some of"),
        ("", ("--tagger", "none.pickle"), "none.pickle"),
        (
            "",
            ("--resolver", "exact", "--links", "names"),
            "are settings of",
        ),
    ],
)
def test_errors_are_one_line_and_status_2(
    score, tmp_path, capsys, content, arguments, error
):
    path = tmp_path / "gold.conll"
    if content is not None:
        path.write_text(content)
    assert score(path, *arguments) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("score_coref: ") and error in line


def test_gap_marks_no_other_mentions(score, tmp_path, capsys):
    path = tmp_path / "gap.tsv"
    path.write_text(GAP)
    assert score(path, "--within-gold") == 2
    assert "--within-gold: must have CoNLL files" in capsys.readouterr().err


def run_program(*arguments, **environment):
    return subprocess.run(
        [sys.executable, ROOT / "tools" / "score_coref.py", *arguments],
        capture_output=True,
        encoding="utf-8",
        env=os.environ
        | {"PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path]), **environment},
    )


def test_texts_are_shown_whatever_the_locale(tmp_path):
    text = GOLD[0].read_text(encoding="utf-8").replace("\tI\t", "\t\u0130\u201d\t")
    path = tmp_path / "caf\u00e9.conll"
    path.write_text(text, encoding="utf-8")
    done = run_program(
        path,
        *("--errors", "99", "--output", tmp_path / "out.json"),
        LC_ALL="C",
        PYTHONUTF8="0",
        PYTHONCOERCECLOCALE="0",
    )
    assert done.returncode == 0, done.stderr
    assert "CoNLL" in done.stdout and "\u0130\u201d" in done.stdout
    assert json.loads((tmp_path / "out.json").read_text())["files"] == [path.name]


class ClosedPipe(io.StringIO):
    def reconfigure(self, **settings):
        pass

    def write(self, text):
        raise BrokenPipeError("nobody reads")


def test_figures_survive_where_tables_do_not(score, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdout", ClosedPipe())
    assert score(GOLD[0], "--output", tmp_path / "out.json") == 2
    assert "nobody reads" in capsys.readouterr().err
    assert json.loads((tmp_path / "out.json").read_text())["conll"]["documents"] == 1


def test_tables_survive_where_figures_do_not(score, tmp_path, monkeypatch, capsys):
    def full(path, content):
        raise OSError(28, "No space left on device", str(path))

    monkeypatch.setattr(score.module, "write_json", full)
    assert score(GOLD[0], "--output", tmp_path / "out.json") == 2
    shown = capsys.readouterr()
    assert "1 documents of CoNLL" in shown.out and "No space left" in shown.err


def test_an_output_that_cannot_be_is_refused_before_the_work(score, tmp_path, capsys):
    assert score(GOLD[0], "--output", tmp_path) == 2
    shown = capsys.readouterr()
    assert (
        shown.out == ""
        and f"--output must be a file. Received: {tmp_path}" in shown.err
    )


DASHES = "".join(f"d 0 {n} w - -\n" for n in range(3))
CONLL = "#begin document ({name}); part 000\n{rows}\n#end document\n"


def test_gold_without_a_cluster_is_refused(score, tmp_path, capsys):
    path = tmp_path / "gold.conll"
    path.write_text(CONLL.format(name="d", rows=DASHES))
    assert score(path) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert f"{path}: the gold must hold a cluster of two mentions" in shown.err
    path.write_text(CONLL.format(name="d", rows=DASHES.replace("-\n", "(1)\n", 1)))
    assert score(path) == 2


def test_some_gold_without_a_cluster_is_said(figures, tmp_path, capsys):
    path = tmp_path / "gold.conll"
    path.write_text(CONLL.format(name="d", rows=DASHES))
    assert figures(GOLD[0], path)["conll"]["documents"] == 2
    assert "1 of 2 documents have no gold cluster" in capsys.readouterr().err


def test_a_skeleton_is_refused_with_its_line(score, tmp_path, capsys):
    path = tmp_path / "gold.conll"
    rows = DASHES.replace(" w ", " [WORD] ")
    path.write_text(CONLL.format(name="d", rows=rows))
    assert score(path) == 2
    assert f"{path}:2: the fourth column must hold a word" in capsys.readouterr().err


def test_broken_documents_can_be_left_out(score, figures, tmp_path, capsys):
    broken = CONLL.format(name="x", rows="x 0 0 w - (1\n")
    path, gap = tmp_path / "gold.conll", tmp_path / "gap.tsv"
    path.write_text(broken + GOLD[0].read_text(encoding="utf-8"), encoding="utf-8")
    gap.write_text(GAP + "t-2\tAnna left.\n")
    assert score(path) == 2
    assert f"{path}:2: the mention of cluster 1 must end" in capsys.readouterr().err
    assert score(gap) == 2
    assert f"{gap}:3: must hold 11 columns" in capsys.readouterr().err
    results = figures(path, gap, "--skip-failed")
    assert (results["conll"]["documents"], results["gap"]["examples"]) == (1, 1)
    assert results["failed"] == ["x", "row 2"]
    said = capsys.readouterr().err
    assert "2 documents failed and were left out" in said
    assert f"document x: {path}:2: " in said and f"row 2: {gap}:3: " in said
    whole = figures(GOLD[0])["conll"]
    assert results["conll"] == whole


@pytest.mark.skipif(not Path("/dev/stdin").exists(), reason="needs /dev/stdin")
@pytest.mark.parametrize("name", ["-", "/dev/stdin"])
def test_standard_input_is_read(name):
    content = GOLD[0].read_text(encoding="utf-8")
    command = [sys.executable, ROOT / "tools" / "score_coref.py", name]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}
    done = subprocess.run(
        command, input=content, capture_output=True, text=True, env=environment
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("1 documents of CoNLL")


def test_paths_are_where_people_mean(score, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "gold.conll").write_bytes(GOLD[0].read_bytes())
    (tmp_path / "there.json").write_text("{}")
    (tmp_path / "link.json").symlink_to("there.json")
    assert score("~/gold.conll", "--output", "~/link.json") == 0
    assert (tmp_path / "link.json").is_symlink()
    assert "conll" in json.loads((tmp_path / "there.json").read_text())
    for output in ("gs://bucket/x.json", "s3://b/x.json"):
        assert score("~/gold.conll", "--output", output) == 2
        assert (
            f"must be a path of this machine; mount or copy what lies elsewhere. "
            f"Received: {output}" in capsys.readouterr().err
        )
    assert score("https://x.org/gold.conll") == 2
    assert "--files must be a path of this machine" in capsys.readouterr().err


def test_numbers_of_errors(score, capsys):
    assert score(GOLD[0], "--errors", "-1") == 2
    assert "--errors must be 0 or more. Received: -1" in capsys.readouterr().err
    done = run_program(GOLD[0], "--errors", "x")
    assert done.returncode == 2 and "--errors" in done.stderr
