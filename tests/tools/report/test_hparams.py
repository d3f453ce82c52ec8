"""tools/report.py: TensorBoard's HParams view of bAbI's cells."""

import importlib.util

import pytest


@pytest.mark.parametrize("blocked", [True, False], ids=["blocked", "installed"])
def test_nothing_needs_tensorflow(runs, tmp_path, blocked, process):
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
