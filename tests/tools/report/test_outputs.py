"""tools/report.py: the files that it writes of bAbI's cells."""

import json
import math

import pytest


def test_output_holds_cells_tables_and_plots(report, runs, tmp_path):
    pytest.importorskip("matplotlib", reason="the extra `recipes` is not installed")
    out = tmp_path / "out" / "new"
    status, printed, _ = report(*runs, "--output", out)
    assert status == 0
    assert sorted(path.name for path in out.iterdir()) == [
        *("cells.jsonl", "dropped-mentions.svg", "tables.md", "training-curves.svg"),
    ]
    assert (out / "tables.md").read_text(encoding="utf-8") == printed
    lines = (out / "cells.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 5
    assert json.loads(lines[0])["training"]["units"] == 64


def test_the_file_of_cells_gives_the_same_tables(report, runs, tmp_path):
    pytest.importorskip("matplotlib", reason="the extra `recipes` is not installed")
    _, first, _ = report(*runs, "--output", tmp_path / "out")
    cells = tmp_path / "out" / "cells.jsonl"
    status, second, _ = report(cells, runs[1], "--output", tmp_path / "again")
    assert (status, second) == (0, first)
    assert (tmp_path / "again" / "cells.jsonl").read_bytes() == cells.read_bytes()
    for name in ("dropped-mentions.svg", "training-curves.svg"):
        first, second = (tmp_path / folder / name for folder in ("out", "again"))
        assert first.read_bytes() == second.read_bytes()


def test_without_tables_of_epochs_no_curve_is_drawn(report, runs, tmp_path):
    pytest.importorskip("matplotlib", reason="the extra `recipes` is not installed")
    for path in runs[0].rglob("metrics.csv"):
        path.unlink()
    # A cell with dropped mentions has its validations, but is of the other plot.
    status, _, errors = report(*runs, "--output", tmp_path / "out")
    assert status == 0
    assert "No training-curves: no cell comes with its validations." in errors
    assert not (tmp_path / "out" / "training-curves.svg").exists()


def test_a_curve_is_read_at_the_updates_of_its_validations(tool, runs):
    path = runs[0] / "ga_gru" / "task-03" / "seed-1" / "metrics.csv"
    expected = (20, pytest.approx(math.exp(-0.5), abs=1e-6)), (40, 1.0)
    assert tool.read_curve(path, 40) == expected
    path.write_text("epoch,val_cross_entropy\n1,nan\n2,0\n", encoding="utf-8")
    assert tool.read_curve(path, 40) == ((40, 1.0),)
    message = f"{path}: the last epoch must divide the 41 updates.* Received: 2"
    with pytest.raises(ValueError, match=message):
        tool.read_curve(path, 41)


def test_a_malformed_table_of_epochs_is_named(report, runs, tmp_path):
    pytest.importorskip("matplotlib", reason="the extra `recipes` is not installed")
    path = runs[0] / "ga_gru" / "task-03" / "seed-1" / "metrics.csv"
    path.write_text("epoch,val_loss\n1,low\n", encoding="utf-8")
    status, _, errors = report(*runs, "--output", tmp_path / "out")
    assert status == 2
    assert f"report: {path}:2: cells must be numbers" in errors
    assert not (tmp_path / "out").exists()
    path.unlink()  # a run folder that was copied without it
    assert report(*runs, "--output", tmp_path / "out")[0] == 0


def test_without_matplotlib_the_tables_are_written(runs, tmp_path, process):
    out = tmp_path / "out"
    done = process(*runs, "--output", out, before="sys.modules['matplotlib'] = None")
    assert done.returncode == 0, done.stderr
    assert 'pip install "keras-cgru[recipes]"' in done.stderr
    assert "report: no plots. Plots need the `matplotlib` package" in done.stderr
    assert sorted(path.name for path in out.iterdir()) == ["cells.jsonl", "tables.md"]
