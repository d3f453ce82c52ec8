"""Keep a second run away from what one run writes."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

try:
    import fcntl
except ImportError:  # Windows has none; there two runs at once are the user's risk.
    fcntl = None  # type: ignore[assignment]


@contextmanager
def locked(path: str | os.PathLike[str]) -> Iterator[None]:
    """Holds a path against every other block that holds it; a kill lets go, too.

    The lock is a file beside it, `.NAME.lock`, that is gone afterwards. The path itself
    is not touched and need not exist. On systems without `fcntl` nothing is held.

    Args:
        path: The file or folder that one run at a time may write.

    Raises:
        ValueError: Another run is at work.
    """
    if fcntl is None:
        yield
        return
    target = Path(path).absolute()  # The folder "." has no name.
    lock = target.with_name(f".{target.name}.lock")
    lock.parent.mkdir(parents=True, exist_ok=True)
    with _hold(lock, path):
        try:
            yield
        finally:
            lock.unlink(missing_ok=True)


def _hold(lock: Path, path: str | os.PathLike[str]) -> BinaryIO:
    while True:
        file = open(lock, "wb")  # noqa: SIM115
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            file.close()
            raise ValueError(
                f"{path} must be one run's at a time. Received: a second one while "
                "the first is at work"
            ) from error
        if _is_at(file, lock):
            return file
        # Between the two steps its last holder has removed it; others may hold a new
        # file of the same name.
        file.close()


def _is_at(file: BinaryIO, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(file.fileno()), path.stat())
    except FileNotFoundError:
        return False
