"""Replace a file as a whole, so that a killed process leaves the old or the new one."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import stat
import sys
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from keras_cgru.files.outputs import follow_links
from keras_cgru.files.paths import descriptor_of, to_path


@contextmanager
def atomic_write(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """Yield a binary file that takes the place of `path` when the block ends well.

    Missing parent folders are made. When the block raises, `path` stays as it was. A
    link stays one: what it names is written. A file that was there keeps its mode and,
    where that is permitted, its owner; it is a new file, so that other hard links keep
    the old content. What cannot be replaced is written into once all is ready: a
    device, a pipe, /dev/stdout, a file in a folder that may not be written to.

    Args:
        path: The file to write or replace.

    Yields:
        A binary file, open for writing, which can seek.

    Raises:
        IsADirectoryError: `path` is a folder.
        ValueError: `path` is an address such as "gs://bucket/x".
    """
    target = follow_links(to_path(path))
    before = _status(target)
    if before is not None and stat.S_ISDIR(before.st_mode):
        raise IsADirectoryError(f"{path}: must be a file. Received: a folder")
    if before is not None and not _replaceable(target, before):
        with tempfile.TemporaryFile() as file:
            yield file
            file.seek(0)
            _write_into(target, file)
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    # The name holds nothing of the target's: TensorBoard reads every file whose name
    # contains "tfevents", half-written ones too.
    temporary = target.parent / f".{uuid.uuid4().hex}.tmp"
    try:
        with open(temporary, "x+b") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if before is not None:
            _keep_mode(temporary, before)
        _replace(temporary, target)
    finally:
        temporary.unlink(missing_ok=True)


def _status(target: Path) -> os.stat_result | None:
    try:
        number = descriptor_of(target)
        return target.stat() if number is None else os.fstat(number)
    except FileNotFoundError:
        return None


def _replaceable(target: Path, before: os.stat_result) -> bool:
    return (
        descriptor_of(target) is None
        and stat.S_ISREG(before.st_mode)
        and os.access(target.parent, os.W_OK | os.X_OK)
    )


def _write_into(target: Path, source: BinaryIO) -> None:
    number = descriptor_of(target)
    if number is not None:
        # What was printed before comes first. A duplicate shares its place in the
        # file; to open /dev/stdout anew would write over it.
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
    with open(target if number is None else os.dup(number), "wb") as file:
        shutil.copyfileobj(source, file)


def _keep_mode(temporary: Path, before: os.stat_result) -> None:
    now = temporary.stat()
    if (now.st_uid, now.st_gid) != (before.st_uid, before.st_gid):
        with contextlib.suppress(OSError, AttributeError):  # Windows has no owners.
            os.chown(temporary, before.st_uid, before.st_gid)
    os.chmod(temporary, stat.S_IMODE(before.st_mode))


def _replace(temporary: Path, target: Path) -> None:
    try:
        os.replace(temporary, target)
    except OSError as error:
        # A single file that was mounted into a container cannot be replaced.
        if error.errno != errno.EBUSY:
            raise
        with open(temporary, "rb") as source:
            _write_into(target, source)
