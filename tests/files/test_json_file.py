"""JSON as a run folder holds it."""

import re

import pytest

from keras_cgru.files import read_json, write_json


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
