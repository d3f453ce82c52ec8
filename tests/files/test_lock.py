"""One run at a time writes a path."""

import multiprocessing
import os
import re

import pytest

import keras_cgru.files.lock as module
from keras_cgru.files import locked

pytest.importorskip("fcntl", reason="there are no such locks on Windows")


def test_a_second_run_is_refused_and_a_later_one_is_not(tmp_path):
    path = tmp_path / "runs" / "first"
    message = re.escape(str(path)) + " must be one run's at a time. Received: a second"
    with locked(path):
        with pytest.raises(ValueError, match=message), locked(path):
            pass
        with locked(path.with_name("second")):
            pass
    with locked(path):
        pass
    assert list(path.parent.iterdir()) == []


def test_an_error_lets_go(tmp_path):
    with pytest.raises(RuntimeError), locked(tmp_path / "a"):
        raise RuntimeError
    with locked(tmp_path / "a"):
        pass


def test_the_folder_in_which_one_is(tmp_path, monkeypatch):
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    refused = pytest.raises(ValueError, match="must be one run's at a time")
    with locked("."), refused, locked(tmp_path / "here"):
        pass


def hold_and_die(path, held):
    with locked(path):
        held.set()
        os._exit(9)


def test_a_kill_lets_go(tmp_path):
    context = multiprocessing.get_context("spawn")
    held = context.Event()
    process = context.Process(target=hold_and_die, args=(tmp_path / "a", held))
    process.start()
    process.join(60)
    assert held.is_set() and process.exitcode == 9
    # What it left behind holds nothing.
    assert [file.name for file in tmp_path.iterdir()] == [".a.lock"]
    with locked(tmp_path / "a"):
        pass


def test_a_lock_whose_file_was_removed_meanwhile_is_not_held(tmp_path, monkeypatch):
    flock, removed = module.fcntl.flock, []

    def remove_first(file, operation):
        flock(file, operation)
        if not removed:  # As the last holder may, just before.
            removed.append(file.name)
            os.unlink(file.name)

    monkeypatch.setattr(module.fcntl, "flock", remove_first)
    refused = pytest.raises(ValueError, match="must be one run's at a time")
    with locked(tmp_path / "a"), refused, locked(tmp_path / "a"):
        pass
    assert removed


def test_where_there_are_no_locks_all_goes_on(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "fcntl", None)
    with locked(tmp_path / "a"), locked(tmp_path / "a"):
        pass
    assert list(tmp_path.iterdir()) == []
