"""JSON as a run folder holds it."""

import re

import pytest

from keras_cgru.files import parse_json, read_json, write_json


@pytest.fixture
def path(tmp_path):
    return tmp_path / "file.json"


def test_round_trip_keeps_order_and_letters(path):
    content = {"z": "café 東", "a": [1, 0.1, None, True], "m": {"nested": {}}}
    write_json(path, content)
    assert read_json(path) == content
    assert list(read_json(path)) == ["z", "a", "m"]
    assert "café 東" in path.read_bytes().decode("utf-8")
    assert path.read_bytes().endswith(b"}\n")


def test_what_json_cannot_hold_leaves_the_earlier_file(path):
    write_json(path, {"kept": 1})
    with pytest.raises(TypeError, match="set"):
        write_json(path, {"lost": {1, 2}})
    assert read_json(path) == {"kept": 1}
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize(
    "content, detail",
    [(b'{"a": 1,\n "b": }', "line 2"), (b"", "line 1"), (b'"\xff"', "utf-8")],
)
def test_broken_file_is_named(path, content, detail):
    path.write_bytes(content)
    message = re.escape(str(path)) + f": must be JSON in UTF-8. Received: .*{detail}"
    with pytest.raises(ValueError, match=message):
        read_json(path)


def test_missing_file_is_named(path):
    with pytest.raises(FileNotFoundError, match=re.escape(str(path))):
        read_json(path)


@pytest.mark.parametrize(
    "content, detail",
    [
        (b"[" * 100_000, "nested too deeply"),
        (b'{"a": ' + b"9" * 5_000 + b"}", "4300 digits"),
        (b'["' + b"x" * 10_000, "Unterminated string"),
        (b'{"a": 1,\n\n "\xff"}', "which is no utf-8, in line 3"),
    ],
)
def test_what_is_no_json_is_an_error_of_one_short_line(path, content, detail):
    path.write_bytes(content)
    with pytest.raises(ValueError, match=re.escape(detail)) as raised:
        read_json(path)
    message = str(raised.value)
    assert message.startswith(f"{path}: must be JSON") and len(message) < 400


def test_a_line_is_named_where_it_is_parsed():
    with pytest.raises(ValueError, match="^a.jsonl:7: must be JSON in UTF-8. Received"):
        parse_json("{", "a.jsonl:7")


def test_a_byte_order_mark_is_skipped(path):
    path.write_bytes(b"\xef\xbb\xbf[1]")
    assert read_json(path) == [1]


def test_what_json_has_no_number_for_is_null(path):
    write_json(path, {"loss": [float("nan"), (1.0, float("-inf"))], "n": 2**70})
    assert read_json(path) == {"loss": [None, [1.0, None]], "n": 2**70}
