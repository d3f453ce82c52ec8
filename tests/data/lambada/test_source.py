"""Where the files are found, in which order, and what is an error."""

import hashlib
import warnings

import pytest

from keras_cgru.data import download
from keras_cgru.data.lambada import find_lambada
from keras_cgru.data.lambada import source as lambada_source

NAMES = (lambada_source.DEVELOPMENT_FILE, lambada_source.TEST_FILE)


@pytest.fixture(autouse=True)
def clean(monkeypatch, tmp_path):
    """No variable, an empty cache and no network."""
    monkeypatch.delenv("KERAS_CGRU_DATA", raising=False)
    monkeypatch.setenv("KERAS_HOME", str(tmp_path / "keras-home"))
    monkeypatch.setattr(download.tempfile, "gettempdir", lambda: str(tmp_path / "tmp"))
    monkeypatch.setattr(download, "_is_reachable", lambda url: False)


def make_folder(folder, names=NAMES):
    folder.mkdir(parents=True)
    for name in names:
        (folder / name).write_text(f"{name} a . b a\n")
    return folder


@pytest.mark.parametrize("named", ["parent", "itself"])
def test_a_folder_may_be_the_parent_or_the_folder_itself(tmp_path, named):
    folder = make_folder(tmp_path / "data" / "lambada-dataset")
    source = find_lambada(folder if named == "itself" else folder.parent)
    assert source.kind == "data-dir"
    assert source.folder == folder
    assert source.files["development"] == folder / NAMES[0]
    assert source.files["test"] == folder / NAMES[1]
    assert source.sha256.keys() == set(NAMES)
    content = source.files["test"].read_bytes()
    assert source.sha256[NAMES[1]] == hashlib.sha256(content).hexdigest()
    assert str(folder) in source.describe()


def test_the_order(tmp_path, monkeypatch):
    cache = make_folder(tmp_path / "keras-home" / "datasets" / "lambada-dataset")
    assert find_lambada().kind == "cache"
    assert find_lambada().folder == cache
    variable = make_folder(tmp_path / "variable")
    monkeypatch.setenv("KERAS_CGRU_DATA", str(variable))
    assert find_lambada().kind == "environment"
    assert find_lambada().folder == variable
    argument = make_folder(tmp_path / "argument")
    assert find_lambada(str(argument)).kind == "data-dir"
    assert find_lambada(argument).folder == argument


def test_nothing_found(monkeypatch):
    assert find_lambada(allow_download=False) is None
    assert find_lambada() is None
    monkeypatch.setenv("KERAS_CGRU_DATA", "")
    assert find_lambada() is None


@pytest.mark.parametrize("way", ["`data_dir`", "KERAS_CGRU_DATA"])
def test_a_folder_that_lacks_a_file_is_an_error(tmp_path, monkeypatch, way):
    make_folder(tmp_path / "keras-home" / "datasets" / "lambada-dataset")
    folder = make_folder(tmp_path / "data" / "lambada-dataset", names=NAMES[:1])
    if way == "KERAS_CGRU_DATA":
        monkeypatch.setenv(way, str(folder.parent))
    with pytest.raises(FileNotFoundError) as error:
        find_lambada(None if way == "KERAS_CGRU_DATA" else folder.parent)
    message = str(error.value)
    assert message.startswith(f"{way} must be")
    assert message.endswith(f"there is no {folder / NAMES[1]}")


def test_a_folder_that_does_not_exist_is_an_error(tmp_path):
    with pytest.raises(FileNotFoundError, match="nowhere"):
        find_lambada(tmp_path / "nowhere")


@pytest.mark.parametrize("variable", ["data_dir", "KERAS_CGRU_DATA"])
def test_home_and_addresses(tmp_path, monkeypatch, variable):
    monkeypatch.setenv("HOME", str(tmp_path))
    folder = make_folder(tmp_path / "data")

    def find(value):
        if variable == "data_dir":
            return find_lambada(value)
        monkeypatch.setenv(variable, value)
        return find_lambada()

    assert find("~/data").folder == folder
    with pytest.raises(ValueError, match=f"`{variable}` must be a path.*gs://bucket"):
        find("gs://bucket/data")


def test_no_warning_where_all_is_well(tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        find_lambada(make_folder(tmp_path / "data"))
