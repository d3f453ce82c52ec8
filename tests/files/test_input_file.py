"""Inputs that can be read only once."""

import os
import subprocess
import sys
import threading

import pytest

from keras_cgru.files import input_file, read_lines

READ_TWICE = """
import sys
from keras_cgru.files import input_file, read_lines
texts = [[line for _, line in read_lines(input_file(each))] for each in sys.argv[1:]]
print(texts)
print(input_file(sys.argv[1]))
"""


def test_a_file_is_itself(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("x")
    assert input_file(path) == path
    assert str(input_file(os.devnull)) == os.devnull


@pytest.mark.parametrize(
    ("make", "error", "what"),
    [
        (lambda path: None, FileNotFoundError, "no such file"),
        (lambda path: path.symlink_to("gone"), FileNotFoundError, "a link to nothing"),
        (lambda path: path.mkdir(), IsADirectoryError, "a folder"),
    ],
)
def test_what_is_no_file(tmp_path, make, error, what):
    path = tmp_path / "a.txt"
    make(path)
    with pytest.raises(error, match=f"`inputs` must be a file.*{path}, {what}"):
        input_file(path, "inputs")


def test_a_device_is_refused():
    with pytest.raises(ValueError, match="must be a file or a pipe. Received: /dev/ze"):
        input_file("/dev/zero")


def test_a_fifo_is_read_once(tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    writer = threading.Thread(target=path.write_bytes, args=(b"one\ntwo\n",))
    writer.start()
    first = input_file(path)
    writer.join()
    assert input_file(path) == first != path
    assert [line for _, line in read_lines(first)] == ["one", "two"]


@pytest.mark.parametrize("name", ["-", "/dev/stdin", "/dev/fd/0"])
@pytest.mark.parametrize("piped", [True, False])
def test_standard_input_is_read_once(tmp_path, name, piped):
    """Under any of its names; the copy is gone when the process ends."""
    command = [sys.executable, "-c", READ_TWICE, name, "/dev/stdin", "-"]
    if piped:
        done = subprocess.run(command, input="a\nb\n", capture_output=True, text=True)
    else:
        (tmp_path / "text").write_text("a\nb\n")
        with open(tmp_path / "text") as file:
            done = subprocess.run(command, stdin=file, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    texts, copy = done.stdout.splitlines()
    assert texts == str([["a", "b"]] * 3)
    assert not os.path.exists(copy) and not os.path.exists(os.path.dirname(copy))


def test_a_process_substitution():
    done = subprocess.run(
        [
            "bash",
            "-c",
            f'{sys.executable} -c "$1" <(echo a) <(echo b)',
            "-",
            READ_TWICE,
        ],
        capture_output=True,
        text=True,
    )
    assert done.stdout.splitlines()[0] == str([["a"], ["b"]]), done.stderr


def test_a_closed_standard_input_is_named():
    code = "from keras_cgru.files import input_file; input_file('-', 'inputs')"
    done = subprocess.run(
        ["bash", "-c", f'{sys.executable} -c "{code}" <&-'],
        capture_output=True,
        text=True,
    )
    assert "`inputs` must be a file that there is. Received: -, but st" in done.stderr
