"""tools/report.py: what it refuses, and when."""

import re

from babi_cells import write_folder


def test_missing_and_empty_inputs(report, runs, tmp_path):
    status, printed, errors = report(runs[0], tmp_path / "none")
    assert (status, printed) == (2, "")
    assert errors.startswith(f"report: {tmp_path}/none: must be the folder that recip")
    for name in ("empty", "empty.jsonl"):
        path = tmp_path / name
        path.touch() if path.suffix else path.mkdir()
        status, _, errors = report(path)
        assert status == 2
        assert errors.startswith(f"report: {path}: must hold a finished cell")


def test_malformed_files_are_named(report, runs, tmp_path):
    path = runs[0] / "ga_gru" / "task-03" / "seed-1" / "metrics.json"
    path.write_text('{\n"task": }', encoding="utf-8")
    status, _, errors = report(*runs)
    assert status == 2
    assert re.match(f"report: {re.escape(str(path))}: must be JSON.* line 2", errors)
    lines = tmp_path / "cells.jsonl"
    lines.write_text("{}\n", encoding="utf-8")
    assert (
        report(lines)[2] == f"report: {lines}:1: `model` must be str. Received: None\n"
    )


def test_different_cells_of_two_inputs_name_both(report, runs, tmp_path):
    other = write_folder(tmp_path / "c", "ga_gru", 3, 1, 0.9, 0.8)
    status, _, errors = report(runs[0], tmp_path / "c")
    assert status == 2
    first = runs[0] / "ga_gru" / "task-03" / "seed-1" / "metrics.json"
    assert f"{other}/metrics.json: must be the same cell as {first}" in errors


def test_output_must_be_a_folder(report, runs, tmp_path):
    (tmp_path / "file").touch()
    status, _, errors = report(*runs, "--output", tmp_path / "file")
    assert status == 2
    assert errors == (
        f"report: --output must be a folder. Received: {tmp_path}/file, a file\n"
    )


def test_paths_are_checked_before_anything_is_read(report, runs, tmp_path, monkeypatch):
    for arguments, message in (
        (["gs://bucket/a"], "report: INPUTS must be a path of this machine"),
        ([runs[0], "--output", "s3://b/x"], "report: --output must be a path of this"),
        ([runs[0], "--changes", "hdfs://x/y"], "report: --changes must be a path of"),
        ([], "report: INPUTS must be one folder or file at least"),
        (
            [tmp_path / "none", "--output", "/dev/null/x"],
            "report: --output must be a f",
        ),
    ):
        status, printed, errors = report(*arguments)
        assert (status, printed) == (2, "") and errors.startswith(message)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert report("~/a", "~/b", "--output", "~/out")[0] == 0
    assert (tmp_path / "out" / "cells.jsonl").exists()
