"""tools/report.py over runs of recipes/wikihop.py."""

import pytest
from lambada_runs import write_run

GROUPS = ("all", "follows", "follows+single", "follows+multiple")


def groups(*shares):
    sizes = {"num_examples": 10, "num_used": 8, "num_right": 2, "accuracy_used": 0.1}
    return {
        "recipe": "wikihop",
        "by_annotation": {
            name: {**sizes, "accuracy_overall": share}
            for name, share in zip(GROUPS, shares, strict=True)
        },
    }


@pytest.fixture
def runs(tmp_path):
    """Two seeds of one reader and one of another."""
    folder = tmp_path / "wikihop"
    sampled = {"kind": "wikihop", "train_size": 1000}
    first, second = groups(0.2, 0.4, 0.1, None), groups(0.4, 0.6, 0.2, None)
    write_run(folder / "c1", seed=1, more_metrics=first, **sampled)
    write_run(folder / "c2", seed=2, more_metrics=second, **sampled)
    write_run(
        folder / "g1", "gru", 1, (0,), more_metrics=groups(0.1, 0.2, 0.3, 0), **sampled
    )
    return folder


def row(printed, name):
    lines = [line for line in printed.splitlines() if line.startswith(f"| {name} |")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def test_accuracy_by_annotators_beside_the_paper(report, runs):
    status, printed, _ = report(runs)
    assert status == 0
    assert "WikiHop, tested on the development records." in printed
    seeds, by_group = row(printed, "coref_gru")
    assert seeds[1] == "2"
    assert by_group == ["coref_gru", "2", "0.300", "0.500", "0.150", ""]
    assert row(printed, "gru")[1] == ["gru", "1", "0.100", "0.200", "0.300", "0.000"]
    assert "follows+single (10)" in printed
    (paper,) = row(printed, "paper: GA w/ C-GRU, 1,000 records")
    assert paper[2:] == ["0.330", "0.355", "0.370", "0.354"]


def test_simulated_records_are_labelled_and_have_no_annotators(report, tmp_path):
    metrics = {"recipe": "wikihop", "by_annotation": {}}
    write_run(tmp_path / "s1", kind="simulated", more_metrics=metrics)
    status, printed, _ = report(tmp_path)
    assert status == 0
    assert "trained and tested on simulated records (SIMULATED" in printed
    assert "paper" not in printed


def test_other_sizes_are_rows_of_their_own(report, runs):
    metrics = groups(0.5, 0.5, 0.5, 0.5)
    write_run(runs / "c3", kind="wikihop", train_size=5000, more_metrics=metrics)
    _, printed, _ = report(runs)
    assert len(row(printed, "coref_gru, train_size 1000")) == 2
    assert row(printed, "coref_gru, train_size 5000")[1][2] == "0.500"


def test_other_recipes_have_tables_of_their_own(report, runs):
    write_run(runs / "l1")
    _, printed, _ = report(runs)
    assert printed.count("reader") >= 3
    assert "LAMBADA, trained on" in printed and "WikiHop, tested on" in printed
