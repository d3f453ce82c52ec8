"""Stopped in the middle of epoch 3, by Ctrl-C or worse, and started again.

Dropout and shuffling are on: a resumed run must go on with the masks and the order
that an uninterrupted one would have had.
"""

import csv
import shutil
import signal
import time
from concurrent.futures import ThreadPoolExecutor

import keras
import pytest

from keras_cgru.files import locked, read_json, write_json

# In a run folder of its own, and in the next free one beside it.
NAME = f"runs/lambada/simulated-coref_gru-{keras.backend.backend()}-1"
FOLDERS = {"SIGKILL": NAME, "SIGINT": f"{NAME}-2"}
# The programs are the same in both processes, but threads may add in another order.
TOLERANCE = 1e-5


def read_rows(path):
    with open(path / "metrics.csv", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def losses(rows):
    names = ("loss", "accuracy", "val_loss", "val_accuracy")
    return [float(row[name]) for row in rows for name in names]


def wait_for(process, text):
    """Reads what a run prints until a line says `text`."""
    lines = []
    for line in process.stdout:
        lines.append(line)
        if text in line:
            return
    raise AssertionError(f"{text!r} was not printed: {lines} {process.stderr.read()}")


def stop_in_epoch_3(process, number):
    """Sends a signal in the middle of epoch 3; status, output and errors of the end."""
    wait_for(process, "Epoch 3/5")
    # An epoch of 50 updates takes several times as long.
    time.sleep(0.05)
    process.send_signal(number)
    stdout, stderr = process.communicate(timeout=120)
    return process.returncode, stdout, stderr


@pytest.fixture(scope="module")
def workplace(tmp_path_factory):
    return tmp_path_factory.mktemp("stopped")


@pytest.fixture(scope="module")
def stopped(recipe, tiny, workplace):
    """Ends of two runs at a time, by name of the signal; copies in before/."""
    processes, ends = [], {}
    try:
        with ThreadPoolExecutor() as pool:
            for name, folder in FOLDERS.items():
                process = recipe.start(workplace, *tiny, "--epochs", 5)
                processes.append(process)
                number = getattr(signal, name)
                ends[name] = pool.submit(stop_in_epoch_3, process, number)
                # The second is to find the name of the first taken.
                while process.poll() is None and not (workplace / folder).exists():
                    time.sleep(0.05)
            results = {name: end.result() for name, end in ends.items()}
    finally:
        for process in processes:
            process.kill()
    shutil.copytree(workplace / "runs", workplace / "before")
    return results


@pytest.fixture(scope="module")
def resumed(stopped, recipe, tiny, workplace):
    """What both print when they go on, the second without being told where."""
    options = [*tiny, "--epochs", 5, "--resume"]
    with ThreadPoolExecutor() as pool:
        told = pool.submit(recipe.succeed, workplace, *options, "--run-dir", NAME)
        untold = pool.submit(recipe.succeed, workplace, *options)
        return {"SIGKILL": told.result(), "SIGINT": untold.result()}


@pytest.fixture(params=FOLDERS)
def name(request):
    return request.param


@pytest.fixture
def folder(name, workplace):
    return workplace / FOLDERS[name]


def test_stopped_run_keeps_two_epochs(stopped, name, folder, workplace, finished_run):
    before = workplace / "before" / "lambada" / folder.name
    rows = read_rows(before)
    assert [row["epoch"] for row in rows] == ["1", "2"]
    assert {"backup.npz", "best.keras"} <= {path.name for path in before.iterdir()}
    assert not (before / "metrics.json").exists()
    # A process of its own with the same seed, so far.
    want = losses(read_rows(finished_run.folder)[:2])
    assert losses(rows) == pytest.approx(want, rel=1e-6)


def test_interrupt_is_reported_with_the_way_on(stopped):
    status, output, errors = stopped["SIGINT"]
    assert status == 130
    assert output.splitlines()[-1] == (
        "Stopped. Finished epochs are kept; go on with --resume."
    )
    assert "Traceback" not in errors


def test_kill_gives_no_time_for_anything(stopped):
    assert stopped["SIGKILL"][0] == -signal.SIGKILL


def test_resumed_run_goes_on_at_epoch_3(resumed, name, folder):
    output = resumed[name]
    assert f"Run folder: {FOLDERS[name]}\n" in output
    assert "Going on behind epoch 2 of 5." in output
    assert "3 epochs of 50 updates" in output
    epochs = [line for line in output.splitlines() if line.startswith("Epoch ")]
    assert epochs == ["Epoch 3/5", "Epoch 4/5", "Epoch 5/5"]
    assert [row["epoch"] for row in read_rows(folder)] == list("12345")


def test_losses_equal_those_of_a_run_never_stopped(resumed, folder, finished_run):
    rows, want = read_rows(folder), read_rows(finished_run.folder)
    assert losses(rows) == pytest.approx(losses(want), rel=TOLERANCE)


def test_result_equals_that_of_a_run_never_stopped(resumed, folder, finished_run):
    got, want = (
        (path / "predictions.jsonl").read_text(encoding="utf-8").splitlines()
        for path in (folder, finished_run.folder)
    )
    # All but the probability, the last field, is the same to the letter.
    assert [line.rpartition(",")[0] for line in got] == [
        line.rpartition(",")[0] for line in want
    ]


def test_steps_neither_restart_nor_repeat(
    resumed, folder, read_events, logged_steps, updates_per_epoch
):
    train = read_events(folder / "train")
    validation = read_events(folder / "validation")
    assert len(train) == len(validation) == 2
    assert [step for file in train for step, _ in file] == logged_steps(5)
    ends = [updates_per_epoch * epoch for epoch in range(1, 6)]
    assert [step for file in validation for step, _ in file] == ends


def test_resuming_a_finished_run_only_prints_its_result(
    finished_run, recipe, tiny, contents
):
    before = contents(finished_run.folder)
    folder = finished_run.folder
    options = ["--epochs", 5, "--resume", "--run-dir", folder.name]
    output = recipe.succeed(folder.parent, *tiny, *options)
    assert "Epoch" not in output
    _, _, report = finished_run.output.partition("Test accuracy")
    assert report
    assert report in output
    assert contents(folder) == before


def test_run_killed_while_it_was_tested_is_tested_again(
    finished_run, recipe, tiny, tmp_path
):
    folder = tmp_path / "copy"
    shutil.copytree(finished_run.folder, folder)
    want = (folder / "predictions.jsonl").read_bytes()
    for name in ("metrics.json", "predictions.jsonl"):
        (folder / name).unlink()
    options = ["--epochs", 5, "--resume", "--run-dir", "copy"]
    output = recipe.succeed(tmp_path, *tiny, *options)
    assert "Epoch" not in output
    assert (folder / "predictions.jsonl").read_bytes() == want
    assert read_rows(folder) == read_rows(finished_run.folder)


def test_a_run_of_a_version_that_fixed_no_threads_goes_on(
    finished_run, recipe, tiny, tmp_path
):
    folder = tmp_path / "copy"
    shutil.copytree(finished_run.folder, folder)
    config = read_json(folder / "config.json")
    del config["settings"]["threads"]
    write_json(folder / "config.json", config)
    options = ["--epochs", 5, "--resume", "--run-dir", "copy"]
    output = recipe.succeed(tmp_path, *tiny, *options)
    assert "an unknown number of threads" in output and "Test accuracy" in output


REFUSED = {
    "--units 16": "settings.units must be what the run in {name} began with: 8. "
    "Received: 16",
    "--threads 1": "settings.threads must be what the run in {name} began with: 2. "
    "Received: 1",
    "--epochs 4": "--epochs must be at least 5, the epochs that the run has finished. "
    "Received: 4",
}


@pytest.mark.parametrize("options", REFUSED)
def test_resuming_with_other_settings_is_refused(
    finished_run, recipe, tiny, contents, options
):
    before = contents(finished_run.folder)
    folder = finished_run.folder
    arguments = ["--epochs", 5, *options.split(), "--resume", "--run-dir", folder.name]
    done = recipe(folder.parent, *tiny, *arguments)
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].endswith(
        REFUSED[options].format(name=folder.name)
    )
    assert "Traceback" not in done.stderr
    assert contents(folder) == before


def test_resuming_a_run_that_is_at_work_is_refused(
    finished_run, recipe, tiny, contents
):
    pytest.importorskip("fcntl", reason="there are no such locks on Windows")
    before = contents(finished_run.folder)
    folder = finished_run.folder
    with locked(folder):
        arguments = ["--epochs", 5, "--resume", "--run-dir", folder.name]
        done = recipe(folder.parent, *tiny, *arguments)
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1] == (
        f"lambada.py: error: {folder.name} must be one run's at a time. Received: a "
        "second one while the first is at work"
    )
    assert contents(folder) == before


def test_resuming_no_run_is_refused(recipe, tiny, tmp_path):
    done = recipe(tmp_path, *tiny, "--resume")
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1] == (
        f"lambada.py: error: --resume: there is no run at {NAME}"
    )
    assert list(tmp_path.iterdir()) == []


def test_a_new_run_never_touches_an_older_one(finished_run, recipe, tiny, contents):
    before = contents(finished_run.folder)
    folder = finished_run.folder
    done = recipe(folder.parent, *tiny, "--run-dir", folder.name)
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1] == (
        "lambada.py: error: --run-dir must be a new or empty folder, or be given with "
        f"--resume. Received: {folder.name}, which is not empty"
    )
    assert contents(folder) == before
