"""An input that can be read as often as is needed."""

from __future__ import annotations

import atexit
import os
import shutil
import stat
import sys
import tempfile
from pathlib import Path
from typing import BinaryIO

from keras_cgru.files.paths import descriptor_of, to_path

# Copies of what can be read only once, by device and inode.
_copies: dict[tuple[int, int], Path] = {}


def input_file(value: str | os.PathLike[str], name: str = "path") -> Path:
    """A file that exists, which may be read more than once.

    What can be read only once (a pipe, as in `<(command)`, "/dev/stdin", or "-" for
    standard input) is copied to a temporary file, once in the life of the process; the
    copy is gone when the process ends. Every later call gives the same copy.

    Args:
        value: What the user gave.
        name: The argument that it was given for, which errors name.

    Raises:
        FileNotFoundError: There is no such file.
        IsADirectoryError: It is a folder.
        ValueError: It is an address or a device.
    """
    if value == "-":
        return _copy_of(0, "-", name)
    path = to_path(value, name)
    number = descriptor_of(path)
    if number is not None:
        return _copy_of(number, str(value), name)
    try:
        mode = path.stat().st_mode
    except FileNotFoundError as error:
        what = "a link to nothing" if path.is_symlink() else "no such file"
        raise FileNotFoundError(
            f"`{name}` must be a file that there is. Received: {value}, {what}"
        ) from error
    if stat.S_ISREG(mode) or str(path) == os.devnull:
        return path
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(f"`{name}` must be a file. Received: {value}, a folder")
    if not stat.S_ISFIFO(mode):
        raise ValueError(
            f"`{name}` must be a file or a pipe. Received: {value}, a device"
        )
    # Not to be opened twice: the second time would wait for another writer.
    return _copies.get(_key(path.stat())) or _copy_of(path, str(value), name)


def _copy_of(source: Path | int, value: str, name: str) -> Path:
    """The temporary copy of a pipe, or of what an open file still holds."""
    if source == 0 and sys.stdin is None:
        raise ValueError(
            f"`{name}` must be a file that there is. Received: {value}, but standard "
            "input is closed"
        )
    try:
        # A duplicate: to close it leaves the original open.
        file: BinaryIO = open(
            os.dup(source) if isinstance(source, int) else source, "rb"
        )
    except OSError as error:
        raise ValueError(
            f"`{name}` must be a file that can be read. Received: {value} "
            f"({error.strerror})"
        ) from error
    with file:
        key = _key(os.fstat(file.fileno()))
        if key not in _copies:
            _copies[key] = _copy(file, "stdin" if source == 0 else Path(value).name)
    return _copies[key]


def _copy(file: BinaryIO, name: str) -> Path:
    folder = tempfile.mkdtemp(prefix="keras-cgru-")
    atexit.register(_remove, folder, os.getpid())
    path = Path(folder, name)
    with open(path, "wb") as copy:
        shutil.copyfileobj(file, copy)
    return path


def _remove(folder: str, process: int) -> None:
    if os.getpid() == process:  # A forked child is not the owner.
        shutil.rmtree(folder, ignore_errors=True)


def _key(status: os.stat_result) -> tuple[int, int]:
    return status.st_dev, status.st_ino
