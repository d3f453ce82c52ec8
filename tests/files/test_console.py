"""What is printed, whatever standard output is."""

import io
import os
import subprocess
import sys

import pytest

from keras_cgru.files import console

PRINTS = """
import os, sys, time
from keras_cgru.files import console
with console(silent={silent}) as streams:
    for i in range(3):
        print("line", i, "é ’ \\udcff")
        time.sleep({seconds})
    print("told ’", file=sys.stderr)
    open({path!r}, "w").write(f"all {{streams.reader_left}}")
"""


def run(tmp_path, silent=False, seconds=0, shell='"$@"', **variables):
    code = PRINTS.format(silent=silent, seconds=seconds, path=str(tmp_path / "done"))
    done = subprocess.run(
        ["bash", "-c", shell, "-", sys.executable, "-c", code],
        capture_output=True,
        env=os.environ | variables,
    )
    path = tmp_path / "done"
    return done, path.read_text() if path.exists() else None


@pytest.mark.parametrize(
    ("encoding", "shown", "told"),
    [
        ("ascii", rb"\xe9 \u2019 \udcff", rb"told \u2019"),
        ("latin-1", b"\xe9 \\u2019 \\udcff", rb"told \u2019"),
        ("utf-8", "é ’ \\udcff".encode(), "told ’".encode()),
    ],
)
def test_no_character_is_an_error(tmp_path, encoding, shown, told):
    done, _ = run(tmp_path, PYTHONIOENCODING=encoding)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[0] == b"line 0 " + shown
    assert done.stderr == told + b"\n"


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_closed_pipe_ends_the_block_or_is_not_noticed(tmp_path, unbuffered):
    options = {
        "seconds": 0.3,
        "shell": '"$@" | head -1',
        "PYTHONUNBUFFERED": unbuffered,
    }
    done, written = run(tmp_path, silent=True, **options)
    assert (done.stderr, written) == ("told ’\n".encode(), "all True")
    (tmp_path / "done").unlink()
    done, written = run(tmp_path, silent=False, **options)
    assert written is None
    assert done.stderr.splitlines()[-1].startswith(b"BrokenPipeError")
    assert b"Exception ignored" not in done.stderr


@pytest.mark.parametrize("silent", [True, False])
def test_errors_that_nobody_reads_end_nothing(tmp_path, silent):
    done, written = run(tmp_path, silent, shell='"$@" 2> >(exec true) >/dev/null; wait')
    assert written == "all False" and done.returncode == 0


def test_a_full_disk_is_an_error_only_where_the_output_matters(tmp_path):
    done, written = run(tmp_path, silent=True, shell='"$@" >/dev/full')
    assert (done.returncode, written) == (0, "all False")
    (tmp_path / "done").unlink()
    done, written = run(tmp_path, silent=False, shell='"$@" >/dev/full')
    assert written is None and b"No space left" in done.stderr


def test_lines_show_at_once(tmp_path):
    code = PRINTS.format(silent=False, seconds=30, path=str(tmp_path / "done"))
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
    assert process.stdout.readline().startswith(b"line 0")
    process.kill()
    process.communicate()


class Notebook(io.TextIOBase):
    """As Jupyter's stream: it has no `reconfigure`."""

    def __init__(self):
        self.text = ""

    def write(self, text):
        self.text += text
        return len(text)


@pytest.mark.parametrize("make", [io.StringIO, Notebook, lambda: None])
def test_the_streams_of_others_stay(monkeypatch, make):
    stream = make()
    monkeypatch.setattr(sys, "stdout", stream)
    with console():
        print("’")
        assert sys.stdout is stream
    assert sys.stdout is stream


def test_the_streams_are_back_afterwards(capfd):
    before = sys.stdout, sys.stderr
    with console():
        print("é", flush=True)
    assert (sys.stdout, sys.stderr) == before
    print("after")
    assert capfd.readouterr().out == "é\nafter\n"
