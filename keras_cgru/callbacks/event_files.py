"""TensorBoard's event files, written and read without TensorFlow.

An event file is a series of records: the length of the data (8 bytes, little-endian),
the length's checksum (4), the data, the data's checksum (4). The data is one `Event`
protocol buffer. `tensorboard`'s own `EventFileWriter` would import TensorFlow wherever
that is installed, so only its record writer and its protocol buffers are used.
"""

import os
import struct
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from socket import gethostname

from keras_cgru.files import atomic_write

try:
    from tensorboard.compat.proto.event_pb2 import Event
    from tensorboard.compat.proto.summary_pb2 import Summary
    from tensorboard.compat.tensorflow_stub.pywrap_tensorflow import masked_crc32c
    from tensorboard.summary.writer.record_writer import RecordWriter
except ImportError as error:
    _missing: ImportError | None = error
else:
    _missing = None

_PREFIX = "events.out.tfevents."
_FLUSH_SECONDS = 10.0


def require_tensorboard() -> None:
    """Raise `ImportError` with the line to type when `tensorboard` is not there."""
    if _missing is not None:
        raise ImportError(
            "TensorBoard logs need the `tensorboard` package: "
            'pip install "keras-cgru[recipes]"'
        ) from _missing


class EventFile:
    """A new event file in `folder`, sorted behind those already there.

    What is added reaches the disk within about ten seconds as long as more is added,
    so little is lost when the process is killed.

    Args:
        folder: Where the file is made; the folder too when it is missing.
    """

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        # TensorBoard reads a folder's files in the order of their names, which begin
        # with the second of their making: two runs in one second need different ones.
        seconds = [_seconds(path) + 1 for path in event_files(folder)]
        stamp = max([int(time.time()), *seconds])
        self.path = folder / f"{_PREFIX}{stamp:010d}.{gethostname()}.{os.getpid()}"
        self._records = RecordWriter(open(self.path, "xb"))
        self._add(Event(wall_time=time.time(), file_version="brain.Event:2"))
        self.flush()

    def add_scalars(self, step: int, values: Mapping[str, float]) -> None:
        """Add one event: the value of each tag at `step`."""
        summary = Summary(
            value=[
                Summary.Value(tag=tag, simple_value=value)
                for tag, value in values.items()
            ]
        )
        self._add(Event(wall_time=time.time(), step=step, summary=summary))
        if time.monotonic() - self._flushed > _FLUSH_SECONDS:
            self.flush()

    def flush(self) -> None:
        """Bring everything added so far to the disk."""
        self._records.flush()
        self._flushed = time.monotonic()

    def close(self) -> None:
        """Flush and close; closing twice does no harm."""
        self._records.close()

    def _add(self, event: "Event") -> None:
        self._records.write(event.SerializeToString())


def event_files(folder: Path) -> list[Path]:
    """List the event files of `folder` in the order in which TensorBoard reads them.

    Returns none when there is no such folder.
    """
    return sorted(folder.glob(f"{_PREFIX}*"))


def drop_events_after(folder: Path, step: int) -> None:
    """Take the events behind `step` out of the event files of `folder`.

    Files without such events are not touched; others are replaced as a whole. A record
    that a killed process left half-written is dropped along with them.

    Raises:
        ValueError: A record fails its checksum.
    """
    for path in event_files(folder):
        kept, size = [], 0
        for record in read_records(path):
            if Event.FromString(record).step <= step:
                kept.append(record)
                size += len(record) + 16
        if size != path.stat().st_size:
            with atomic_write(path) as file:
                writer = RecordWriter(file)
                for record in kept:
                    writer.write(record)


def read_records(path: Path) -> Iterator[bytes]:
    """Yield the serialized `Event`s of an event file, up to a half-written last one.

    Raises:
        ValueError: A record fails its checksum.
    """
    with open(path, "rb") as file:
        while len(header := file.read(12)) == 12:
            _check(path, file.tell() - 12, header[:8], header[8:])
            (length,) = struct.unpack("<Q", header[:8])
            data, checksum = file.read(length), file.read(4)
            if len(checksum) < 4:
                return
            _check(path, file.tell() - 4 - length, data, checksum)
            yield data


def _check(path: Path, offset: int, data: bytes, checksum: bytes) -> None:
    if struct.unpack("<I", checksum) != (masked_crc32c(data),):
        raise ValueError(
            f"{path}: must be a sound event file; move it away to go on. Received: a "
            f"wrong checksum at byte {offset}"
        )


def _seconds(path: Path) -> int:
    digits = path.name[len(_PREFIX) :].split(".")[0]
    return int(digits) if digits.isdigit() else 0
