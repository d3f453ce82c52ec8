"""Lines of a file: their ends, their numbers, their memory."""

import os
import re
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keras_cgru.files import read_lines

MARK = b"\xef\xbb\xbf"


@pytest.mark.parametrize(
    ("content", "lines"),
    [
        (b"", []),
        (b"\n", [""]),
        (b"a", ["a"]),
        (b"a\r\nb\rc\n\nd", ["a", "b", "c", "", "d"]),
        (b"a\r\r\nb", ["a", "", "b"]),
        (MARK, []),
        (MARK + b"\n", [""]),
        (MARK + b"a\n" + MARK, ["a", "\ufeff"]),
        ("é\u2028x\u0085y\x0b\x0c\x1cz\n".encode(), ["é\u2028x\u0085y\x0b\x0c\x1cz"]),
    ],
)
def test_what_ends_a_line(tmp_path, content, lines):
    path = tmp_path / "a.txt"
    path.write_bytes(content)
    assert list(read_lines(path)) == list(enumerate(lines, start=1))


@given(st.lists(st.sampled_from([b"a", "é".encode(), b"\r", b"\n", b"\r\n"])))
def test_as_if_read_at_once(tmp_path_factory, parts):
    path = tmp_path_factory.getbasetemp() / "lines.txt"
    content = b"x" * 8190 + b"".join(parts)  # Around the end of a block.
    path.write_bytes(content)
    lines = content.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
    expected = [line.decode() for line in lines[: None if lines[-1] else -1]]
    assert [line for _, line in read_lines(path)] == expected


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"a\r\nb\0c\n", ":2: must be text. Received: a NUL byte"),
        (b"a\n\xc3\xa9\xff", ":2: must be UTF-8. Received: byte 0xff at column 3"),
        (b"\xed\xa0\x80", ":1: must be UTF-8. Received: byte 0xed at column 1"),
    ],
)
def test_errors_name_file_and_line(tmp_path, content, message):
    path = tmp_path / "a.txt"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=re.escape(f"{path}{message}")):
        list(read_lines(path))


@pytest.mark.parametrize("end", [b"\n", b"\r"])
def test_memory_does_not_grow_with_the_file(tmp_path, end):
    path = tmp_path / "a.txt"
    path.write_bytes((b"word " * 20 + end) * 100_000)
    tracemalloc.start()
    assert sum(1 for _ in read_lines(path)) == 100_000
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1_000_000 < os.path.getsize(path)
