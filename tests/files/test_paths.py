"""Paths as people give them."""

import re
from pathlib import Path

import pytest

from keras_cgru.files import is_empty_folder, to_path


def test_home_is_expanded(monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path))
    assert to_path("~/runs") == to_path(Path("~/runs")) == tmp_path / "runs"
    assert to_path("~") == tmp_path
    assert to_path("~root") == Path("~root").expanduser()
    assert to_path("a/~b") == Path("a/~b")


def test_a_user_who_is_not_known_is_refused_unless_a_file_has_the_name(
    monkeypatch, tmp_path
):
    monkeypatch.chdir(tmp_path)
    message = "`output` must name a home folder that there is, .*Received: ~nobody-here"
    with pytest.raises(ValueError, match=message):
        to_path("~nobody-here/x", "output")
    Path("~$draft.txt").touch()
    assert to_path("~$draft.txt") == Path("~$draft.txt")


@pytest.mark.parametrize(
    "address",
    [
        *("gs://bucket/x", "s3://b", "http://h/x", "https://h/x", "hdfs://h:80/x"),
        *("file:///tmp/x", "S3://b", "dbfs:/mnt/x", "simplecache::s3://b/x"),
        Path("gs://bucket/x"),  # Of which `Path` makes "gs:/bucket/x".
    ],
)
def test_addresses_are_refused(address):
    message = f"`run_dir` must be a path of this machine.*{re.escape(str(address))}"
    with pytest.raises(ValueError, match=message):
        to_path(address, "run_dir")


def test_what_only_looks_like_an_address_is_a_path():
    for text in ("a:b", "./gs:/x", "x/s3://y", "C:/x", "12:30/x"):
        assert to_path(text) == Path(text)


@pytest.mark.parametrize("value", ["", "a\0b"])
def test_no_path(value):
    with pytest.raises(ValueError, match="`path` must be a path"):
        to_path(value)
    with pytest.raises(TypeError, match="`log_dir` must be a path. Received: None"):
        to_path(None, "log_dir")


def test_an_empty_folder_may_hold_what_systems_put_there(tmp_path):
    assert is_empty_folder(tmp_path)
    (tmp_path / "lost+found").mkdir()
    for name in (".DS_Store", "Thumbs.db", "desktop.ini", ".nfs0001", ".lock", "._x"):
        (tmp_path / name).touch()
    assert is_empty_folder(tmp_path)
    (tmp_path / "config.json").touch()
    assert not is_empty_folder(tmp_path)
