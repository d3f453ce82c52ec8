"""One run at a time writes a path."""

import errno
import multiprocessing
import os
import re
import subprocess
import sys
import warnings

import pytest

from keras_cgru.files import is_empty_folder, locked, locked_folder


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


@pytest.fixture
def flock(monkeypatch):
    """Replaces the system's own call; gives it."""
    fcntl = pytest.importorskip("fcntl", reason="there is no such call on Windows")
    original = fcntl.flock
    return original, lambda replacement: monkeypatch.setattr(
        fcntl, "flock", replacement
    )


def test_a_lock_whose_file_was_removed_meanwhile_is_not_held(tmp_path, flock):
    original, replace = flock
    removed = []

    def remove_first(file, operation):
        original(file, operation)
        if not removed and operation & 4:  # As the last holder may, just before.
            removed.append(file)
            os.unlink(tmp_path / ".a.lock")

    replace(remove_first)
    refused = pytest.raises(ValueError, match="must be one run's at a time")
    with locked(tmp_path / "a"), refused, locked(tmp_path / "a"):
        pass
    assert removed


@pytest.fixture(params=["ENOSYS", "ENOLCK", "EOPNOTSUPP"])
def no_locks(request, flock):
    """A file system without locks, as Lustre and NFS may be."""

    def fail(file, operation):
        raise OSError(getattr(errno, request.param), "no locks here")

    flock[1](fail)


@pytest.mark.parametrize("hold", [locked, locked_folder])
def test_where_there_are_no_locks_all_goes_on_with_one_warning(
    tmp_path, no_locks, hold
):
    path = tmp_path / "a"
    refused = pytest.raises(ValueError, match="must be one run's at a time")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")
        for _ in range(2):
            with hold(path), refused, hold(path):
                pass
    assert len(caught) == 1 and "lock" in str(caught[0].message)
    if hold is locked_folder:
        assert is_empty_folder(path)


def test_a_kill_lets_go_where_there_are_no_locks(tmp_path):
    code = (
        "import fcntl, os, sys\n"
        "def fail(*_): raise OSError(37, 'no locks')\n"
        "fcntl.flock = fail\n"
        "from keras_cgru.files import locked\n"
        "with locked(sys.argv[1]):\n    print('held')\n"
        "    if sys.argv[2:]: sys.stdout.flush(); os._exit(9)\n"
    )
    for last in (["die"], []):
        command = [sys.executable, "-c", code, str(tmp_path / "a"), *last]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.stdout == "held\n", done.stderr


def test_another_error_of_the_system_is_not_hidden(tmp_path, flock):
    def fail(file, operation):
        raise OSError(errno.EIO, "Input/output error")

    flock[1](fail)
    with pytest.raises(OSError, match="Input/output error"), locked(tmp_path / "a"):
        pass


def test_the_lock_of_a_folder_lies_inside_it(tmp_path):
    """The folder above may belong to others."""
    folder = tmp_path / "above" / "run"
    refused = pytest.raises(ValueError, match="must be one run's at a time")
    with locked_folder(folder):
        assert [path.name for path in folder.iterdir()] == [".lock"]
        assert is_empty_folder(folder)
        with refused, locked_folder(folder):
            pass
    assert list(folder.iterdir()) == [] and list(folder.parent.iterdir()) == [folder]
