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
    return lambda *arguments: module.main([*map(str, arguments)])


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
        ("", ("--links", "verbs"), "`links` must hold some of"),
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


def test_tables_survive_where_figures_do_not(score, tmp_path, capsys):
    assert score(GOLD[0], "--output", tmp_path) == 2
    shown = capsys.readouterr()
    assert "1 documents of CoNLL" in shown.out and str(tmp_path) in shown.err
