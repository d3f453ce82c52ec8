"""What a long run says of itself."""

import io

import pytest

from keras_cgru.coref.annotating import progress_line
from keras_cgru.coref.annotating.progress_line import ProgressLine


@pytest.fixture
def clock(monkeypatch):
    """A clock that is moved by hand."""
    now = [100.0]
    monkeypatch.setattr(progress_line.time, "monotonic", lambda: now[0])
    return now


def test_rate_and_time_left_are_of_this_run(clock):
    shown = ProgressLine(1000, io.StringIO())
    shown.skip(400)
    clock[0] += 10
    shown.add(200, 50)
    assert shown.line() == "60.0%  5 tokens/s  0:00:20 left"
    shown.add(400, 100)
    assert shown.line() == "100.0%  15 tokens/s  0:00:00 left"


def test_nothing_done_yet(clock):
    assert ProgressLine(1000, io.StringIO()).line() == " 0.0%  0 tokens/s  ? left"
    assert ProgressLine(0, io.StringIO()).line().startswith("100.0%")


def test_a_line_every_ten_seconds(clock):
    stream = io.StringIO()
    shown = ProgressLine(100, stream)
    for _ in range(25):
        clock[0] += 1
        shown.add(1, 1)
    shown.close()
    assert len(stream.getvalue().splitlines()) == 2


def test_a_terminal_gets_one_line(clock):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    stream = Terminal()
    shown = ProgressLine(100, stream)
    for _ in range(5):
        clock[0] += 1
        shown.add(1, 1)
    shown.close()
    assert stream.getvalue().count("\n") == 1
    assert stream.getvalue().count("\r") == 5
