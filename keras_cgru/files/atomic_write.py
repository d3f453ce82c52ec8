"""Replace a file as a whole, so that a killed process leaves the old or the new one."""

import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


@contextmanager
def atomic_write(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """Yield a binary file that takes the place of `path` when the block ends well.

    Missing parent folders are made. When the block raises, `path` stays as it was.

    Args:
        path: The file to write or replace.

    Yields:
        A binary file, open for writing, in the folder of `path`.
    """
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    # The name holds nothing of the target's: TensorBoard reads every file whose name
    # contains "tfevents", half-written ones too.
    temporary = target.parent / f".{uuid.uuid4().hex}.tmp"
    try:
        with open(temporary, "xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, target)
    finally:
        temporary.unlink(missing_ok=True)
