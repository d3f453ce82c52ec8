"""tools/report.py: what it prints, writes and refuses."""

import importlib.util
import json
import math
import os
import re
import subprocess
import sys
from pathlib import Path

import keras
import pytest
from babi_cells import write_folder

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "tools" / "report.py"


@pytest.fixture
def tool():
    spec = importlib.util.spec_from_file_location("report", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def report(tool, capsys, monkeypatch):
    """Runs the command line in this process: status, output, errors."""
    monkeypatch.setenv("KERAS_BACKEND", keras.backend.backend())

    def run(*arguments):
        status = tool.main([str(argument) for argument in arguments])
        printed = capsys.readouterr()
        return status, printed.out, printed.err

    return run


@pytest.fixture
def runs(tmp_path):
    """Two run folders: two models on task 3, and one of them with links dropped."""
    for seed in (1, 2):
        write_folder(tmp_path / "a", "ga_coref_gru", 3, seed, 0.9, 0.5 + seed / 10)
        write_folder(tmp_path / "a", "ga_gru", 3, seed, 0.2 * seed, 0.9 - seed / 10)
    write_folder(tmp_path / "b", "ga_coref_gru", 3, 1, 0.4, dropped_mentions=0.5)
    return tmp_path / "a", tmp_path / "b"


def process(*arguments, before="", after="", **variables):
    """Runs the script in a process of its own, with code before and after it."""
    code = (
        f"import runpy, sys\nsys.argv = {[str(SCRIPT), *map(str, arguments)]!r}\n"
        f"{before}\ntry:\n    runpy.run_path(sys.argv[0], run_name='__main__')\n"
        f"finally:\n    pass\n    {after}\n"
    )
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}
    return subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        timeout=300,
        env=environment | variables,
    )


def test_the_command_line_prints_the_tables(runs):
    done = subprocess.run(
        [sys.executable, SCRIPT, *runs],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])},
    )
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    # GRU: the first seed validates best, with 0.2 at the test.
    assert "| GA w/ GRU | 3 | 2 | 0.300 | 0.200 | 1 | 5,000 | 0.5 |" in lines
    assert "| GA w/ C-GRU | 3 | 2 | 0.900 | 0.900 | 1 | 5,000 | 0.5 |" in lines
    assert lines[-1] == "| 3 | GA w/ C-GRU | 0.5 | 1 | 0.400 | 0.400 |"
    assert "0.886" not in done.stdout and "0.810" not in done.stdout


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
    assert "No training-curves.svg: no cell comes with its validations." in errors
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


def test_without_matplotlib_the_tables_are_written(runs, tmp_path):
    out = tmp_path / "out"
    done = process(*runs, "--output", out, before="sys.modules['matplotlib'] = None")
    assert done.returncode == 0, done.stderr
    assert 'pip install "keras-cgru[recipes]"' in done.stderr
    assert "report: no plots. Plots need the `matplotlib` package" in done.stderr
    assert sorted(path.name for path in out.iterdir()) == ["cells.jsonl", "tables.md"]


@pytest.mark.parametrize("blocked", [True, False], ids=["blocked", "installed"])
def test_nothing_needs_tensorflow(runs, tmp_path, blocked):
    pytest.importorskip("tensorboard", reason="the extra `recipes` is not installed")
    backends = [name for name in ("jax", "torch") if importlib.util.find_spec(name)]
    if not backends:
        pytest.skip("no Keras backend but TensorFlow is installed")
    done = process(
        *(*runs, "--output", tmp_path / "out", "--hparams"),
        before="sys.modules['tensorflow'] = None" if blocked else "",
        after="print('TensorFlow:', sys.modules.get('tensorflow'))",
        KERAS_BACKEND=backends[0],
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "TensorFlow: None"
    assert len(list((tmp_path / "out" / "hparams").rglob("*.hparams"))) == 6


def sessions(folder):
    """Each session of an HParams view with what it says, read record by record."""
    from tensorboard.compat.proto.event_pb2 import Event
    from tensorboard.plugins.hparams import metadata

    from keras_cgru.callbacks.event_files import read_records

    found = {}
    for path in sorted(folder.rglob("*.hparams")):
        hparams, metrics = {}, {}
        for record in read_records(path):
            for value in Event.FromString(record).summary.value:
                content = value.metadata.plugin_data.content
                if value.tag == metadata.SESSION_START_INFO_TAG:
                    parsed = metadata.parse_session_start_info_plugin_data(content)
                    for name, each in parsed.hparams.items():
                        hparams[name] = getattr(each, each.WhichOneof("kind"))
                elif value.metadata.plugin_data.plugin_name != "hparams":
                    metrics[value.tag] = pytest.approx(value.simple_value)
        if hparams:
            found[str(path.parent.relative_to(folder))] = hparams, metrics
    return found


def test_hparams_go_into_the_run_folders(report, runs):
    pytest.importorskip("tensorboard", reason="the extra `recipes` is not installed")
    status, _, errors = report(*runs, "--hparams")
    assert status == 0
    assert f"HParams of 4 cells: tensorboard --logdir {runs[0]}" in errors
    found = sessions(runs[0])
    assert sorted(found) == [
        f"{model}/task-03/seed-{seed}"
        for model in ("ga_coref_gru", "ga_gru")
        for seed in (1, 2)
    ]
    hparams, metrics = found["ga_gru/task-03/seed-2"]
    assert hparams == {
        "model": "ga_gru",
        "task": 3,
        "seed": 2,
        "dropped_mentions": 0,
        "units": 64,
        "dropout": 0.1,
        "by_word": False,
    }
    assert metrics == {"test_accuracy": 0.4, "validation_accuracy": 0.7}
    ((hparams, _),) = sessions(runs[1]).values()
    assert hparams["dropped_mentions"] == 0.5


def test_hparams_of_a_file_of_cells(report, runs, tmp_path):
    pytest.importorskip("tensorboard", reason="the extra `recipes` is not installed")
    report(*runs, "--output", tmp_path / "out")
    cells, view = tmp_path / "out" / "cells.jsonl", tmp_path / "view"
    status, _, errors = report(cells, "--hparams")
    assert status == 2
    assert errors.startswith("report: --hparams must come with --output where an input")
    assert report(cells, "--hparams", "--output", view)[0] == 0
    assert "ga_coref_gru-dropped-0.5/task-03/seed-1" in sessions(view / "hparams")
    assert len(sessions(view / "hparams")) == 5
    # Cells that are no longer there are no longer shown.
    assert report(runs[1], "--hparams", "--output", view)[0] == 0
    assert len(sessions(view / "hparams")) == 1


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


def test_changes_are_printed_and_kept(report, runs, tmp_path):
    """The file that it writes is a source of the same table."""
    folder = tmp_path / "no-dropout"
    training = {"units": 64, "layers": None, "dropout": 0.0, "by_word": False}
    write_folder(folder, "ga_gru", 3, 2, 0.5, training=training)
    output = tmp_path / "report"
    status, printed, _ = report(runs[0], "--changes", folder, "--output", output)
    assert status == 0
    assert "| GA w/ GRU | dropout 0.0, not 0.1 | 1 | 0.500 (+0.100) |" in printed
    table = (output / "changes.md").read_text(encoding="utf-8")
    assert table in printed + "\n"
    status, again, _ = report(runs[0], "--changes", output / "changes.jsonl")
    assert status == 0 and again == printed


def test_changes_keep_the_order_in_which_they_were_given(report, runs, tmp_path):
    for dropout, seed in ((0.3, 2), (0.2, 1)):
        folder = tmp_path / f"dropout-{dropout}"
        write_folder(folder, "ga_gru", 3, seed, 0.5, training={"dropout": dropout})
    ways = tmp_path / "dropout-0.3", tmp_path / "dropout-0.2"
    output = tmp_path / "report"
    _, printed, _ = report(runs[0], "--changes", *ways, "--output", output)
    assert printed.index("dropout 0.3") < printed.index("dropout 0.2")
    assert report(runs[0], "--changes", output / "changes.jsonl")[1] == printed


def test_changes_without_a_counterpart_are_refused_before_anything_is_written(
    report, runs, tmp_path
):
    folder = tmp_path / "other"
    write_folder(folder, "ga_gru", 4, 1, 0.5, training={"units": 32})
    output = tmp_path / "report"
    status, printed, told = report(runs[0], "--changes", folder, "--output", output)
    assert status == 2 and "counterpart" in told and not printed
    assert not output.exists()


def test_files_first_and_a_closed_pipe_ends_quietly(runs, tmp_path):
    """The output is a link to a folder that is not there yet."""
    (tmp_path / "link").symlink_to(tmp_path / "far" / "out")
    arguments = " ".join(map(str, [*runs, "--output", tmp_path / "link"]))
    done = subprocess.run(
        ["bash", "-c", f"{sys.executable} -u {SCRIPT} {arguments} | true"],
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])},
    )
    assert "Traceback" not in done.stderr and "Broken" not in done.stderr
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "far" / "out" / "tables.md").stat().st_size > 100


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


@pytest.mark.parametrize("flags", ["", "-OO"])
def test_without_docstrings_and_in_ascii(runs, flags):
    command = f"{sys.executable} {flags} {SCRIPT}"
    for arguments in (" ".join(map(str, runs)), "--help"):
        done = subprocess.run(
            ["bash", "-c", f"{command} {arguments}"],
            capture_output=True,
            text=True,
            env=os.environ
            | {"PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}
            | {"PYTHONIOENCODING": "ascii"},
        )
        assert done.returncode == 0, done.stderr
        assert done.stdout.isascii() and len(done.stdout) > 500


def test_no_backend_is_loaded(runs, tmp_path):
    """Nor needed, whatever is asked for."""
    done = process(
        *(*runs, "--output", tmp_path / "out", "--hparams"),
        after="print({'keras', 'jax', 'tensorflow', 'torch'} & set(sys.modules))",
        KERAS_BACKEND="none",
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "set()"
