"""TensorBoard's event files, written and read without TensorFlow.

An event file is a series of records: the length of the data (8 bytes, little-endian),
the length's checksum (4), the data, the data's checksum (4). The data is one `Event`
protocol buffer. `tensorboard`'s own `EventFileWriter` would import TensorFlow wherever
that is installed, so only its record writer and its protocol buffers are used.
"""

import os
import re
import struct
import time
import warnings
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from socket import gethostname

from keras_cgru.files import atomic_write

try:
    from google.protobuf.message import DecodeError
    from tensorboard.compat.proto.event_pb2 import Event, SessionLog
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
        start: The step behind which this file's events lie, where a run begins or goes
            on. What has read earlier files while it waited for more, as TensorBoard
            does, drops later steps of theirs when it comes to this file; but the first
            such mark of a folder is to TensorBoard a beginning. None: nothing is said.
    """

    def __init__(self, folder: Path, start: int | None = None) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        # TensorBoard reads a folder's files in the order of their names, which begin
        # with the second of their making: two runs in one second need different ones.
        seconds = [_seconds(path) + 1 for path in event_files(folder)]
        stamp = max([int(time.time()), *seconds])
        self.path = folder / f"{_PREFIX}{stamp:010d}.{gethostname()}.{os.getpid()}"
        self._records = RecordWriter(open(self.path, "xb"))
        self._add(Event(wall_time=time.time(), file_version="brain.Event:2"))
        if start is not None:
            mark = SessionLog(status=SessionLog.START)
            step = start + 1  # Readers drop this step and those behind it.
            self._add(Event(wall_time=time.time(), step=step, session_log=mark))
        self.flush()

    def add(self, step: int, values: "Sequence[Summary.Value]") -> None:
        """Add one event: the value of each tag at `step`; see `summary_values`."""
        summary = Summary(value=values)
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

    The marks of earlier resumes behind it go as well.

    Files without such events are not touched; others are replaced as a whole. What a
    killed process or a crash left behind the last sound record (half of one, NULs) is
    dropped along with them.

    Raises:
        ValueError: A record fails its checksum, and sound ones follow it.
    """
    for path in event_files(folder):
        kept, size = [], 0
        for record in read_records(path):
            if _event(path, record).step <= step:
                kept.append(record)
                size += len(record) + 16
        if size != path.stat().st_size:
            with atomic_write(path) as file:
                writer = RecordWriter(file)
                for record in kept:
                    writer.write(record)


def read_records(path: Path) -> Iterator[bytes]:
    """Yield the serialized `Event`s of an event file, up to the last sound one.

    A half-written record at the end is what a killed process leaves. Other bytes there,
    such as the NULs of a crash, are left out with a warning.

    Raises:
        ValueError: A record fails its checksum, and it is the first or sound ones
            follow it.
    """
    with open(path, "rb") as file:
        size = file.seek(0, os.SEEK_END)
        offset = file.seek(0)
        while (length := _header(file.read(12))) is not None:
            if offset + length + 16 > size:
                return
            data = file.read(length)
            if not _fits(data, file.read(4)):
                break
            yield data
            offset += length + 16
        if size - offset >= 12:
            _check_rest(path, offset)


def _header(header: bytes) -> int | None:
    """The length of the record's data; None where these are no sound twelve bytes."""
    if len(header) < 12 or not _fits(header[:8], header[8:]):
        return None
    length: int = struct.unpack("<Q", header[:8])[0]
    return length


def _fits(data: bytes, checksum: bytes) -> bool:
    return checksum == struct.pack("<I", masked_crc32c(data))


def _check_rest(path: Path, offset: int) -> None:
    """Judges what follows the last sound record."""
    rest = memoryview(path.read_bytes())[offset:]
    # A record of events is neither empty nor of 4 GiB: so begins one.
    for found in re.finditer(rb"(?s)(?=(?!\0{4}).{4}\0{4}.{4})", rest[1:]):
        start = found.start() + 1
        length = _header(bytes(rest[start : start + 12]))
        if length is not None and _fits(
            bytes(rest[start + 12 : start + 12 + length]),
            bytes(rest[start + 12 + length : start + 16 + length]),
        ):
            break
    else:
        if offset or not any(rest):
            warnings.warn(
                f"{path}: left out {len(rest)} bytes behind the last sound record, at "
                f"byte {offset}",
                stacklevel=4,
            )
            return
    at = offset if _header(bytes(rest[:12])) is None else offset + 12
    raise ValueError(
        f"{path}: must be a sound event file; move it away to go on. Received: a "
        f"wrong checksum at byte {at}"
    )


def _event(path: Path, record: bytes) -> "Event":
    try:
        return Event.FromString(record)
    except DecodeError as error:
        raise ValueError(
            f"{path}: must hold events; move it away to go on. Received: another kind "
            "of record"
        ) from error


def _seconds(path: Path) -> int:
    digits = path.name[len(_PREFIX) :].split(".")[0]
    return int(digits) if digits.isdigit() else 0


def write_events(path: Path, events: "Iterable[tuple[int, Summary.Value]]") -> None:
    """Write an event file as a whole, one event for each step and value.

    TensorBoard would keep what an older file says; this one takes its place.

    Args:
        path: The file; its name has `tfevents` in it, or TensorBoard does not read it.
        events: Steps, in rising order, and values.
    """
    now = time.time()
    with atomic_write(path) as file:
        records = RecordWriter(file)
        version = Event(wall_time=now, file_version="brain.Event:2")
        records.write(version.SerializeToString())
        for step, value in events:
            event = Event(wall_time=now, step=step, summary=Summary(value=[value]))
            records.write(event.SerializeToString())
