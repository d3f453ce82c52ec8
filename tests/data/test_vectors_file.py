"""Which file of word vectors is taken, and what is refused."""

import gzip
import zipfile

import numpy as np
import pytest

from keras_cgru.data import read_glove
from keras_cgru.data.vectors_file import VectorsFile, find_vectors

TEXT = "the 0.1 -0.2 3 4e-1\nof 1 2 3 4\n"
WIDE = "the 1 2 3 4 5 6\nof 6 5 4 3 2 1\n"


def write(path, text=TEXT):
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.name.endswith(".zip"):
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("glove.6B.100d.txt", WIDE)
            archive.writestr("glove.6B.50d.txt", text)
            archive.writestr("__MACOSX/._glove.6B.25d.txt", "x")
    elif path.name.endswith(".gz"):
        path.write_bytes(gzip.compress(text.encode()))
    else:
        path.write_text(text, encoding="utf-8")


@pytest.mark.parametrize(
    "name",
    [
        "glove/glove.6B.50d.txt",
        "glove/glove.6B.50d.txt.gz",
        "glove/glove.6B.zip",
        "glove/6B/glove.6B.50d.txt",
        "glove/vectors.txt",
        "glove/vectors.vec.gz",
        "glove.6B.zip",
        "glove.6B.50d.txt",
        "glove.6B/glove.6B.50d.txt",
        "GloVe/glove.6B.50d.txt",
    ],
)
def test_wherever_they_lie_they_are_read(tmp_path, name):
    write(tmp_path / name)
    found = find_vectors(tmp_path)
    assert found.path == tmp_path / name
    words, vectors = read_glove(found)
    assert words == ["the", "of"]
    np.testing.assert_array_equal(vectors[1], [1, 2, 3, 4])


def test_of_several_the_shortest_are_taken(tmp_path):
    names = ["glove.6B.300d.txt", "glove.6B.50d.txt.gz", "glove.custom.txt", "x.txt"]
    for name in names:
        write(tmp_path / "glove" / name)
    assert find_vectors(tmp_path).path.name == "glove.6B.50d.txt.gz"


def test_nothing_of_the_name_is_nothing(tmp_path):
    (tmp_path / "glove-python").mkdir()
    (tmp_path / "glovebox.pdf").touch()
    assert find_vectors(tmp_path) is None


@pytest.mark.parametrize("name", ["glove.6B.tar", "LICENSE.txt", ""])
def test_a_folder_without_vectors_is_refused(tmp_path, name):
    (tmp_path / "glove").mkdir()
    if name:
        (tmp_path / "glove" / name).write_text("x")
    with pytest.raises(FileNotFoundError) as error:
        find_vectors(tmp_path)
    message = str(error.value)
    assert message.startswith(f"{tmp_path / 'glove'}: must hold word vectors as .txt")
    assert message.endswith(f"Received: {name or 'nothing'}")


def test_a_zip_names_its_member(tmp_path):
    write(tmp_path / "glove.6B.zip")
    file = VectorsFile.of(tmp_path / "glove.6B.zip")
    assert file.name == "glove.6B.zip/glove.6B.50d.txt"
    assert read_glove(tmp_path / "glove.6B.zip")[0] == ["the", "of"]


@pytest.mark.parametrize("suffix", [".zip", ".gz"])
def test_a_packed_file_is_known_by_its_content(tmp_path, suffix):
    write(tmp_path / f"vectors{suffix}")
    path = (tmp_path / f"vectors{suffix}").rename(tmp_path / "vectors.txt")
    assert read_glove(path)[0] == ["the", "of"]


def test_a_zip_that_is_cut_or_holds_no_vectors(tmp_path):
    write(tmp_path / "a.zip")
    whole = (tmp_path / "a.zip").read_bytes()
    (tmp_path / "cut.zip").write_bytes(whole[:-30])
    with pytest.raises(ValueError, match="cut.zip: must be a whole zip file"):
        read_glove(tmp_path / "cut.zip")
    with zipfile.ZipFile(tmp_path / "empty.zip", "w") as archive:
        archive.writestr("README.md", "none")
    with pytest.raises(ValueError, match="empty.zip: must hold vectors as .txt"):
        read_glove(tmp_path / "empty.zip")


def test_every_damaged_byte_of_an_archive_ends_in_a_result_or_a_named_error(tmp_path):
    write(tmp_path / "a.zip")
    whole = (tmp_path / "a.zip").read_bytes()
    path, refused = tmp_path / "broken.zip", 0
    for place in range(len(whole)):
        broken = bytearray(whole)
        broken[place] ^= 0xFF
        path.write_bytes(broken)
        try:
            read_glove(path)
        except ValueError as error:
            assert "broken.zip" in str(error)
            refused += 1
    assert refused > len(whole) // 4


def test_a_line_that_never_ends_is_refused(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(b"\0" * (3 << 20))
    with pytest.raises(ValueError, match="a.txt:1: must be a line of text"):
        read_glove(path)
