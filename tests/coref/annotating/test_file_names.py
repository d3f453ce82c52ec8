"""Names that tell files apart, however they are typed."""

import os

import pytest

from keras_cgru.coref.annotating.inputs.file_names import distinct_names, distinct_stems


def test_only_what_is_needed(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    paths = ["a/x.txt", "b/x.txt", "c/y.txt", "b/c/y.text", "z.txt", "z.text", "a/n.b"]
    stems = ["a/x", "b/x", f"{tmp_path.name}/c/y", "b/c/y", "z.txt", "z.text", "n"]
    assert distinct_stems(paths) == stems
    assert distinct_stems([str(tmp_path / path) for path in paths]) == stems
    assert distinct_stems([os.path.join("b", "..", path) for path in paths]) == stems
    names = ["a/x.txt", "b/x.txt", f"{tmp_path.name}/c/y.txt", "b/c/y.text"]
    assert distinct_names(paths) == [*names, "z.txt", "z.text", "n.b"]
    assert distinct_stems([]) == []
    assert distinct_stems(["q.txt", "q.txt"])[0].endswith(f"{tmp_path.name}/q.txt")


def test_names_must_be_utf8(tmp_path):
    name = os.fsdecode(b"b\xff.txt")
    with pytest.raises(ValueError, match=r"must be UTF-8. Received: b'.*b\\xff.txt'"):
        distinct_stems([tmp_path / "a.txt", tmp_path / name])
