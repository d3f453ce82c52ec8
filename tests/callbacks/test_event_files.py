"""Event files that a crash has left."""

import random
import re
import time
import warnings

import pytest

pytest.importorskip("tensorboard", reason="the extra `recipes` is not installed")

from tensorboard.compat.proto.event_pb2 import Event

from keras_cgru.callbacks.event_files import EventFile, drop_events_after, read_records
from keras_cgru.callbacks.summary_values import scalar_values

NULS = b"\0" * 4096


@pytest.fixture
def path(tmp_path):
    """A file with an event at each of the steps 1 to 5."""
    file = EventFile(tmp_path)
    for step in range(1, 6):
        file.add(step, scalar_values({"loss": 0.0, "accuracy": step / 10}))
    file.close()
    return file.path


def steps(path):
    return [Event.FromString(record).step for record in read_records(path)]


@pytest.mark.parametrize(
    "tail",
    [
        NULS,
        random.Random(0).randbytes(3000),
        b"x" * 12,
        b"\0",
        b"\1\0\0\0\0\0\0\0" * 99,
    ],
    ids=["nuls", "noise", "a header", "a byte", "headers"],
)
def test_what_lies_behind_the_last_sound_record_is_cut(path, tail):
    sound = path.read_bytes()
    path.write_bytes(sound + tail)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        drop_events_after(path.parent, 99)
    assert path.read_bytes() == sound
    if len(tail) >= 12:
        (note,) = [str(warning.message) for warning in caught]
        assert note == (
            f"{path}: left out {len(tail)} bytes behind the last sound record, at byte "
            f"{len(sound)}"
        )


@pytest.mark.parametrize("tail", [b"", NULS])
def test_a_record_cut_anywhere_is_dropped_with_what_follows(path, tail):
    content = path.read_bytes()
    *_, last = read_records(path)
    begin = len(content) - len(last) - 16
    for end in range(begin, len(content)):
        # Some of the NULs may be the record's own.
        path.write_bytes(content[:end] + tail)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            drop_events_after(path.parent, 99)
        assert path.read_bytes() in (content[:begin], content), end


def test_damage_in_the_middle_is_an_error_with_its_place(path):
    content = path.read_bytes()
    first = len(next(read_records(path))) + 16
    for where, at in ((0, 0), (12, 12), (first, first), (first + 20, first + 12)):
        damaged = bytearray(content)
        damaged[where] ^= 0xFF
        path.write_bytes(damaged)
        message = f"{path}: must be a sound event file.*checksum at byte {at}$"
        with pytest.raises(ValueError, match=message):
            drop_events_after(path.parent, 99)
        assert path.read_bytes() == damaged


def test_another_kind_of_file_is_refused_and_kept(path):
    path.write_bytes(b"Lorem ipsum dolor sit amet, " * 9000)
    with pytest.raises(ValueError, match="must be a sound event file") as raised:
        drop_events_after(path.parent, 99)
    assert len(str(raised.value)) < 400 and path.stat().st_size == 28 * 9000


def test_a_file_of_nuls_is_emptied(path):
    path.write_bytes(NULS)
    with pytest.warns(UserWarning, match="left out 4096 bytes"):
        drop_events_after(path.parent, 99)
    assert path.read_bytes() == b""


def test_a_record_of_another_kind_is_named(path):
    from tensorboard.summary.writer.record_writer import RecordWriter

    with open(path, "ab") as file:
        RecordWriter(file).write(b"\xff" * 20)
    with pytest.raises(ValueError, match=re.escape(str(path)) + ": must hold events"):
        drop_events_after(path.parent, 99)


def test_the_search_for_sound_records_is_linear(path):
    path.write_bytes(path.read_bytes() + b"\0" * 30_000_000)
    began = time.process_time()
    with pytest.warns(UserWarning, match="left out 30000000 bytes"):
        assert steps(path) == [0, 1, 2, 3, 4, 5]
    assert time.process_time() - began < 30
