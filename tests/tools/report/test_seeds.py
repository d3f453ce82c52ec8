"""tools/report.py over runs of recipes/lambada.py: what is kept apart, too."""

import json

import pytest
from lambada_runs import write_run

HEAD = "| reader | seeds |"


@pytest.fixture
def lambada(tmp_path):
    """Three seeds of one reader and two of another."""
    folder = tmp_path / "lambada"
    write_run(folder / "c1", seed=1, right=range(4), validation=0.9)
    write_run(folder / "c2", seed=2, right=range(6), validation=0.5)
    write_run(folder / "c3", seed=3, right=range(8), validation=0.9, losses=(1.0, 0.6))
    write_run(folder / "g1", "gru", 1, (0, 4, 5, 6, 7), 0.4)
    write_run(folder / "g2", "gru", 2, (0,), 0.3)
    return folder


def row(printed, name):
    (line,) = [line for line in printed.splitlines() if line.startswith(f"| {name} |")]
    return [cell.strip() for cell in line.strip("|").split("|")]


def test_a_row_a_reader_over_its_seeds(report, lambada):
    status, printed, _ = report(lambada)
    assert status == 0 and printed.count(HEAD) == 1
    assert printed.startswith("LAMBADA, trained on the DEVELOPMENT passages")
    # Two validate alike: the lower loss at the best epoch decides, not the test. That
    # one and the best GRU answer three and four alone: p is 1.
    assert row(printed, "coref_gru") == [
        *("coref_gru", "3", "0.7500", "0.6000", "0.2000", "0.4000 to 0.8000"),
        *("0.4000", "1", "5,000", "1.5"),
    ]
    gru = row(printed, "gru")
    assert gru[1:5] == ["2", "0.3750", "0.3000", "0.2828"]
    assert gru[6:8] == ["0.5000", "-"]
    assert row(printed, "last candidate")[1:4] == ["", "0.2500", "0.2000"]
    assert "the 8 usable examples, and on all 10" in printed


def test_another_baseline(report, lambada):
    _, printed, _ = report(lambada, "--baseline", "coref_gru")
    assert row(printed, "coref_gru")[7] == "-" and row(printed, "gru")[7] == "1"
    _, printed, _ = report(lambada, "--baseline", "lstm")
    assert row(printed, "coref_gru")[7] == row(printed, "gru")[7] == "-"


def test_other_data_is_labelled_and_not_mixed(report, lambada, tmp_path):
    write_run(lambada / "few", "gru", 3, limit=100)
    write_run(lambada / "simulated", "gru", 3, kind="simulated")
    write_run(lambada / "other", "gru", 3, kind="lambada-unofficial")
    status, printed, errors = report(lambada, "--output", tmp_path / "out")
    assert status == 0 and printed.count(HEAD) == 4
    for said in (
        "(the FIRST 100 of each file).",
        "on simulated stories (SIMULATED stories).",
        "(NOT the official files: unofficial).",
    ):
        assert said in printed
    assert printed.count("| gru | 2 |") == 1 and printed.count("| gru | 1 |") == 3
    assert "training-curves-4.svg" in errors
    simulated = [path.read_text() for path in (tmp_path / "out").glob("*.svg")]
    assert sum("SIMULATED" in text for text in simulated) == 1


def test_what_tensorboard_was_shown_is_no_other_way_of_training(report, lambada):
    shown = {"readings": 0, "embeddings": True, "gradient_norm": True}
    write_run(lambada / "g9", "gru", 9, **shown, update_freq=1)
    _, printed, _ = report(lambada)
    assert row(printed, "gru")[1] == "3"


def test_trained_otherwise_is_a_row_of_its_own(report, lambada):
    write_run(lambada / "s1", seed=1, right=(0, 1), resolver="sieve")
    write_run(lambada / "t9", "gru", 9, threads=4)
    _, printed, _ = report(lambada)
    assert row(printed, "coref_gru, resolver exact")[1] == "3"
    assert row(printed, "coref_gru, resolver sieve")[1] == "1"
    # Threads move the last digits alone.
    assert row(printed, "gru, resolver exact")[1] == "3"


def test_one_seed_twice_is_refused_unless_it_is_the_same_run(report, lambada):
    status, printed, _ = report(lambada, lambada / "g1")
    assert status == 0 and row(printed, "gru")[1] == "2"
    write_run(lambada / "again", "gru", 1, (0,))
    status, _, errors = report(lambada)
    assert status == 2
    assert f"{lambada / 'g1'}: must be of another seed" in errors
    assert f"than {lambada / 'again'}. Received: gru, seed 1 in both" in errors


def test_what_is_not_finished_is_left_out(report, lambada):
    (lambada / "g2" / "metrics.json").unlink()
    _, printed, _ = report(lambada)
    assert row(printed, "gru")[1] == "1" and row(printed, "gru")[4] == ""


def test_runs_that_answered_other_examples_are_not_compared(report, lambada):
    path = lambada / "g1" / "predictions.jsonl"
    path.write_text(path.read_text().replace('"e7"', '"x7"'))
    _, printed, _ = report(lambada)
    assert row(printed, "coref_gru")[7] == "other examples"


def test_files_of_every_format(report, lambada, tmp_path):
    pytest.importorskip("matplotlib", reason="the extra `recipes` is not installed")
    out = tmp_path / "out"
    formats = ("--format", "svg", "png", "pdf")
    status, printed, errors = report(lambada, "--output", out, *formats)
    assert status == 0
    assert (out / "tables.md").read_text(encoding="utf-8") == printed
    files = {path.suffix: path.read_bytes() for path in out.glob("training-curves.*")}
    assert files[".png"][1:4] == b"PNG" and files[".pdf"][:4] == b"%PDF"
    assert b"validation accuracy" in files[".svg"] and b"DEVELOPMENT" in files[".svg"]
    assert all(f"training-curves{suffix}" in errors for suffix in files)
    assert report(lambada, "--output", tmp_path / "again", *formats)[0] == 0
    for path in (tmp_path / "again").iterdir():
        assert path.read_bytes() == (out / path.name).read_bytes()


def test_kinds_are_not_mixed_and_options_of_babi_are_refused(report, lambada, runs):
    status, _, errors = report(lambada, runs[0])
    assert status == 2
    assert f"{runs[0]}: must hold a finished run of recipes/lambada.py" in errors
    status, _, errors = report(lambada, "--hparams")
    assert status == 2 and "--hparams must come with cells of bAbI" in errors
    status, _, errors = report(lambada, "--changes", runs[0])
    assert status == 2 and "--changes must come with cells of bAbI" in errors


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("metrics.json", None, "`validation_accuracy` must be a number"),
        ("config.json", {"settings": 3, "data": {}}, "`settings` must be an object"),
        ("config.json", {"settings": {}}, "`data` must be an object"),
    ],
)
def test_malformed_files_are_named(report, lambada, name, content, message):
    path = lambada / "g1" / name
    if content is None:
        content = json.loads(path.read_text())
        del content["validation_accuracy"]
    path.write_text(json.dumps(content))
    status, _, errors = report(lambada)
    assert status == 2 and f"{path}: {message}" in errors
