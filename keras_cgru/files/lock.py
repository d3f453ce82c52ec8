"""Keep a second run away from what one run writes."""

from __future__ import annotations

import contextlib
import errno
import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import filelock

from keras_cgru.files.paths import to_path

# What a file system without locks answers, as Lustre and NFS may.
_NO_LOCKS = {errno.ENOSYS, errno.ENOLCK, errno.EOPNOTSUPP, errno.EINVAL}
# The last holder may remove the file while this one takes it: one more try.
_SECONDS = 0.2


@contextmanager
def locked(path: str | os.PathLike[str]) -> Iterator[None]:
    """Holds a path against every other block that holds it; a kill lets go, too.

    The lock is a file beside it, `.NAME.lock`, that is gone afterwards. The path itself
    is not touched and need not exist. Where the file system knows no locks, the lock
    is that there is such a file, and a warning says so.

    Args:
        path: The file that one run at a time may write.

    Raises:
        ValueError: Another run is at work.
    """
    target = to_path(path).absolute()  # The folder "." has no name.
    with _held(target.with_name(f".{target.name}.lock"), path):
        yield


@contextmanager
def locked_folder(path: str | os.PathLike[str]) -> Iterator[None]:
    """As `locked`, for a folder, which is made; the lock is `.lock` inside it.

    The folder above may be one that must not be written to.
    """
    with _held(to_path(path) / ".lock", path):
        yield


@contextmanager
def _held(file: Path, path: str | os.PathLike[str]) -> Iterator[None]:
    file.parent.mkdir(parents=True, exist_ok=True)
    try:
        lock = _acquire(file)
    except filelock.Timeout as error:
        raise ValueError(
            f"{path} must be one run's at a time. Received: a second one while the "
            "first is at work"
        ) from error
    try:
        yield
    finally:
        # Before it is let go: later it may be another's. Windows does not permit it.
        with contextlib.suppress(OSError):
            file.unlink()
        lock.release()


def _acquire(file: Path) -> filelock.BaseFileLock:
    lock: filelock.BaseFileLock
    lock = filelock.FileLock(file, timeout=_SECONDS, fallback_to_soft=False)
    try:
        lock.acquire()
    except (OSError, NotImplementedError) as error:
        if getattr(error, "errno", errno.ENOSYS) not in _NO_LOCKS:
            raise
        # Not the same file: another's could not be told from what the trial left.
        marker = file.with_name(f"{file.name}.held")
        warnings.warn(
            f"{file.parent}: the file system knows no locks. A second run is kept away "
            f"while {marker.name} is there; remove it if no run is at work",
            stacklevel=2,
        )
        lock = filelock.SoftFileLock(marker, timeout=_SECONDS)
        lock.acquire()
    return lock
