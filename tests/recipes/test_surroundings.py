"""Paths, consoles, interpreters and devices as people have them."""

import subprocess
import sys
from pathlib import Path

import keras
import pytest

from keras_cgru.files import read_json

ROOT = Path(__file__).resolve().parents[2]
# As little as is trained at all.
LEAST = "--simulated --limit 8 --units 2 --layers 1".split()
RECIPES = ["lambada", "babi"]


@pytest.fixture(scope="module")
def recipes(recipe, babi):
    return {"lambada": recipe, "babi": babi}


@pytest.fixture(scope="module")
def finished(recipe, tmp_path_factory):
    """A folder with the finished run `run`; to resume it prints its result."""
    folder = tmp_path_factory.mktemp("finished")
    recipe.succeed(folder, *LEAST, "--epochs", 1, "--run-dir", "run")
    return folder


RESUME = [*LEAST, "--epochs", 1, "--run-dir", "run", "--resume"]


@pytest.mark.parametrize("option", ["--run-dir", "--data-dir"])
@pytest.mark.parametrize("name", RECIPES)
def test_an_address_is_no_folder(recipes, check_refusal, tmp_path, name, option):
    options = [] if option == "--data-dir" else ["--simulated"]
    for address in ("gs://bucket/x", "s3://bucket/x"):
        done = recipes[name](tmp_path, *options, option, address)
        wanted = f"{option} must be a path of this machine"
        check_refusal(done, tmp_path, wanted, f"Received: {address}")


def test_an_address_is_no_file_of_annotations(recipe, check_refusal, tmp_path):
    done = recipe(tmp_path, "--simulated", "--annotations", "s3://bucket/a.parquet")
    check_refusal(done, tmp_path, "--annotations must be a path of this machine")


@pytest.mark.parametrize("option", ["--run-dir", "--data-dir", "--annotations"])
def test_a_tilde_is_the_home_folder(recipe, tmp_path, option):
    """Also where no shell has expanded it."""
    (tmp_path / "cwd").mkdir()
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine").touch()
    command = [option, "~/full"]
    if option != "--data-dir":
        command += ["--simulated"]
    done = recipe(tmp_path / "cwd", *command, HOME=str(tmp_path))
    assert done.returncode == 2
    assert f"{tmp_path}/full" in done.stderr or "~/full, a folder" in done.stderr
    assert list((tmp_path / "cwd").iterdir()) == []


def test_a_folder_with_what_systems_put_there_is_new(recipe, tmp_path):
    run = tmp_path / "disk"
    for name in ("lost+found", ".Trash-1000"):
        (run / name).mkdir(parents=True)
    (run / ".DS_Store").touch()
    (run / "notes.txt").touch()
    done = recipe(tmp_path, *LEAST, "--run-dir", "disk")
    assert done.returncode == 2 and "which is not empty" in done.stderr
    (run / "notes.txt").unlink()
    recipe.succeed(tmp_path, *LEAST, "--epochs", 1, "--run-dir", "disk")
    assert (run / "metrics.json").exists()
    # All of it lies there.
    assert [path.name for path in tmp_path.iterdir()] == ["disk"]


# What Jupyter puts in the place of standard output has no `reconfigure`.
IN_A_NOTEBOOK = """
import io, runpy, sys
sys.argv = {arguments!r}
sys.path.insert(0, {folder!r})
printed, sys.stdout = sys.stdout, io.StringIO()
try:
    runpy.run_path(sys.argv[0], run_name="__main__")
except SystemExit as end:
    print(end.code, "Test accuracy" in sys.stdout.getvalue(), file=printed)
"""


def run_python(recipe, folder, *arguments, **variables):
    return subprocess.run(
        [sys.executable, *map(str, arguments)],
        cwd=folder,
        env=recipe.environment | variables,
        capture_output=True,
        text=True,
        check=False,
    )


def test_in_a_notebook(recipe, finished):
    arguments = list(map(str, [recipe.script, *RESUME]))
    script = IN_A_NOTEBOOK.format(arguments=arguments, folder=str(ROOT / "recipes"))
    done = run_python(recipe, finished, "-c", script)
    assert done.stdout.splitlines()[-1:] == ["0 True"], done.stderr[-2000:]


def test_without_docstrings_and_assertions(recipe, babi, tmp_path):
    options = [*LEAST, "--epochs", 1, "--run-dir", "run"]
    done = run_python(recipe, tmp_path, "-OO", recipe.script, *options)
    assert done.returncode == 0, done.stderr[-2000:]
    assert "Test accuracy" in done.stdout
    options = [*LEAST, "--tasks", "1", "--updates", 1, "--run-dir", "cells"]
    done = run_python(recipe, tmp_path, "-OO", babi.script, *options)
    assert done.returncode == 0, done.stderr[-2000:]
    assert "| 1: single supporting fact | 1 |" in done.stdout
    for script in (recipe.script, babi.script):
        done = run_python(recipe, tmp_path, "-OO", script, "--help")
        assert done.returncode == 0 and "--run-dir" in done.stdout


def test_a_console_that_cannot_print_all_and_a_reader_that_leaves(
    recipe, finished, tmp_path
):
    name = "läuft-→"
    options = [*LEAST, "--epochs", 1, "--run-dir", name, "--resume"]
    (tmp_path / name).symlink_to(finished / "run")
    ascii_alone = {"PYTHONIOENCODING": "ascii"}
    done = run_python(recipe, tmp_path, recipe.script, *options, **ascii_alone)
    assert done.returncode == 0, done.stderr[-2000:]
    assert "Test accuracy" in done.stdout
    process = recipe.start(finished, *RESUME)
    process.stdout.close()
    assert process.wait(timeout=300) == 0, process.stderr.read()
    process.stderr.close()


TWO_DEVICES = """
import runpy, sys
import keras
keras.distribution.set_distribution(keras.distribution.DataParallel())
sys.argv = {arguments!r}
sys.path.insert(0, {folder!r})
runpy.run_path(sys.argv[0], run_name="__main__")
"""


@pytest.mark.skipif(
    keras.backend.backend() != "jax",
    reason="Keras shares batches out among virtual devices on JAX alone (3.15.1)",
)
@pytest.mark.parametrize("batch_size", [4, 3])
def test_two_devices_share_batches_or_are_refused(recipe, tmp_path, batch_size):
    options = "--simulated --limit 9 --units 2 --layers 1 --epochs 1 --run-dir run"
    arguments = [str(recipe.script), *options.split(), "--batch-size", str(batch_size)]
    script = TWO_DEVICES.format(arguments=arguments, folder=str(ROOT / "recipes"))
    devices = {"XLA_FLAGS": "--xla_force_host_platform_device_count=2"}
    done = run_python(recipe, tmp_path, "-c", script, **devices)
    predictions = tmp_path / "run" / "predictions.jsonl"
    if batch_size == 3:
        assert done.returncode == 2
        assert "Every batch must be a multiple of 2" in done.stderr
        assert not (tmp_path / "run" / "metrics.csv").exists()
        return
    assert done.returncode == 0, done.stderr[-2000:]
    # The last batch of one is filled up; each example counts once.
    assert len(predictions.read_text(encoding="utf-8").splitlines()) == 9


def test_figures_say_what_the_data_is(finished):
    metrics = read_json(finished / "run" / "metrics.json")
    assert metrics["data"] == "simulated"
    assert metrics["caution"] == "SIMULATED stories, the FIRST 8 of each file"
