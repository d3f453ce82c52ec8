"""Outputs are checked before the work, and written whole."""

import os
import stat
import subprocess
import sys
import tempfile
import threading
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest

from keras_cgru.files import atomic_write, check_output, check_output_folder

NOBODY = 65534


def write(path, content=b"new"):
    with atomic_write(path) as file:
        file.write(content)


def files(folder):
    return sorted(path.name for path in folder.iterdir())


def test_a_block_that_raises_leaves_all_as_it_was(tmp_path):
    path = tmp_path / "a"
    path.write_bytes(b"old")
    with pytest.raises(RuntimeError), atomic_write(path) as file:
        file.write(b"new")
        raise RuntimeError
    assert path.read_bytes() == b"old" and files(tmp_path) == ["a"]


def test_a_link_is_followed(tmp_path):
    """Through a chain, to a file in another folder that may not be there yet."""
    target = tmp_path / "far" / "target"
    (tmp_path / "second").symlink_to(target)
    (tmp_path / "link").symlink_to("second")
    assert check_output(tmp_path / "link") == target
    for content in (b"first", b"second"):
        write(tmp_path / "link", content)
        assert target.read_bytes() == content and not target.is_symlink()
    assert (tmp_path / "link").is_symlink() and (tmp_path / "second").is_symlink()
    assert files(tmp_path) == ["far", "link", "second"] and files(target.parent) == [
        "target"
    ]


def test_a_circle_of_links_is_refused(tmp_path):
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    with pytest.raises(ValueError, match="`output` must not be a link to itself"):
        check_output(tmp_path / "a")
    with pytest.raises(ValueError, match="must not be a link to itself"):
        write(tmp_path / "a")


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o664, 0o755])
def test_the_mode_is_kept(tmp_path, mode):
    path = tmp_path / "a"
    path.write_bytes(b"old")
    path.chmod(mode)
    write(path)
    assert stat.S_IMODE(path.stat().st_mode) == mode and path.read_bytes() == b"new"


def test_a_new_file_gets_the_mode_of_the_umask(tmp_path):
    before = os.umask(0o027)
    try:
        write(tmp_path / "a")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o640


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give files away")
def test_the_owner_is_kept(tmp_path):
    path = tmp_path / "a"
    path.touch()
    os.chown(path, NOBODY, NOBODY)
    write(path)
    assert (path.stat().st_uid, path.stat().st_gid) == (NOBODY, NOBODY)


def test_another_hard_link_keeps_the_old_content(tmp_path):
    (tmp_path / "a").write_bytes(b"old")
    os.link(tmp_path / "a", tmp_path / "b")
    write(tmp_path / "a")
    assert (tmp_path / "b").read_bytes() == b"old"


def test_a_device_is_written_to():
    before = os.stat(os.devnull)
    assert check_output(os.devnull) == Path(os.devnull)
    write(os.devnull)
    after = os.stat(os.devnull)
    assert (before.st_mode, before.st_ino) == (after.st_mode, after.st_ino)


def test_a_device_that_is_full_is_an_error():
    with pytest.raises(OSError, match="No space left"):
        write("/dev/full")


def test_a_pipe_is_written_to(tmp_path):
    path, read = tmp_path / "pipe", []
    os.mkfifo(path)
    assert check_output(path) == path
    reader = threading.Thread(target=lambda: read.append(path.read_bytes()))
    reader.start()
    with atomic_write(path) as file:
        file.write(b"xbc")
        file.seek(0)  # As a writer of archives does.
        file.write(b"a")
    reader.join(30)
    assert read == [b"abc"] and stat.S_ISFIFO(path.stat().st_mode)


@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1"])
def test_standard_output_goes_on_where_it_is(tmp_path, name):
    """A file behind it is neither replaced nor written over."""
    code = (
        "from keras_cgru.files import atomic_write, check_output\n"
        f"print('before')\npath = check_output({name!r})\n"
        "with atomic_write(path) as file:\n    file.write(b'result\\n')\n"
        "print('after')\n"
    )
    with open(tmp_path / "out", "wb") as file:
        subprocess.run([sys.executable, "-c", code], stdout=file, check=True)
    assert (tmp_path / "out").read_text() == "before\nresult\nafter\n"
    (tmp_path / "link").symlink_to(name)
    code = code.replace(name, str(tmp_path / "link"))
    done = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE)
    assert done.stdout == b"before\nresult\nafter\n"


def test_check_output_makes_folders_and_no_file(tmp_path):
    path = tmp_path / "a" / "b" / "c.json"
    assert check_output(path) == path
    assert files(path.parent) == []
    path.write_bytes(b"kept")
    check_output(path)
    assert path.read_bytes() == b"kept" and files(path.parent) == ["c.json"]


def test_what_is_no_file_is_refused(tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").touch()
    with pytest.raises(IsADirectoryError, match="`json` must be a file.*, a folder"):
        check_output(tmp_path / "folder", "json")
    with pytest.raises(IsADirectoryError, match="must be a file.*new/, a folder"):
        check_output(f"{tmp_path}/new/")
    with pytest.raises(IsADirectoryError, match="folder: must be a file"):
        write(tmp_path / "folder")
    for below in ("file/x", "file/x/y"):
        with pytest.raises(NotADirectoryError, match="`output` must lie in a folder"):
            check_output(tmp_path / below)
    with pytest.raises(ValueError, match="must be a file; /dev/stdout is one"):
        check_output("-")
    with pytest.raises(OSError, match="File name too long"):
        check_output(tmp_path / ("x" * 300))


def test_a_folder_is_checked_and_not_made(tmp_path):
    path = tmp_path / "a" / "b"
    assert check_output_folder(path) == path
    assert files(tmp_path) == []
    (tmp_path / "file").touch()
    for name in ("file", "file/x"):
        with pytest.raises(NotADirectoryError, match="`output` must be a folder. Rec"):
            check_output_folder(tmp_path / name)
    (tmp_path / "link").symlink_to("far")
    assert check_output_folder(tmp_path / "link") == tmp_path / "far"


@pytest.fixture
def unprivileged(monkeypatch):
    """A folder for all, and the rights of a user who may not write everywhere."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o777)

        @contextmanager
        def become_nobody():
            if os.geteuid() != 0:
                yield
                return
            os.seteuid(NOBODY)
            try:
                yield
            finally:
                os.seteuid(0)

        monkeypatch.setattr(os, "access", partial(os.access, effective_ids=True))
        yield Path(folder), become_nobody


def test_what_may_not_be_written_is_refused_before_the_work(unprivileged):
    folder, become_nobody = unprivileged
    (folder / "file").write_bytes(b"old")
    (folder / "file").chmod(0o444)
    (folder / "closed").mkdir(mode=0o555)
    (folder / "closed").chmod(0o555)
    with become_nobody():
        for name in ("file", "closed/x"):
            with pytest.raises(PermissionError, match="`output` must be a file that"):
                check_output(folder / name)
        with pytest.raises(PermissionError, match="`output` must lie where you may"):
            check_output(folder / "closed" / "x" / "y")
        with pytest.raises(PermissionError, match="`run_dir` must be a folder that"):
            check_output_folder(folder / "closed" / "x", "run_dir")


def test_a_file_in_a_folder_that_may_not_be_written_to(unprivileged):
    folder, become_nobody = unprivileged
    (folder / "closed").mkdir()
    path = folder / "closed" / "file"
    path.write_bytes(b"an older and longer one")
    path.chmod(0o666)
    path.parent.chmod(0o555)
    with become_nobody():
        write(check_output(path))
    assert path.read_bytes() == b"new" and files(path.parent) == ["file"]


def test_a_file_that_is_mounted_is_written_into(tmp_path, monkeypatch):
    def busy(source, target):
        raise OSError(16, "Device or resource busy", str(source), None, str(target))

    (tmp_path / "file").write_bytes(b"an older and longer one")
    monkeypatch.setattr(os, "replace", busy)
    write(tmp_path / "file")
    assert (tmp_path / "file").read_bytes() == b"new"
    assert files(tmp_path) == ["file"]
