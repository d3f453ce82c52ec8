"""Where the files are found, in which order, and what is an error."""

import hashlib
import socket
import time
import warnings

import keras
import pytest

from keras_cgru.data import find_corpus as sources
from keras_cgru.data.lambada import find_lambada
from keras_cgru.data.lambada import source as lambada_source

NAMES = (lambada_source.DEVELOPMENT_FILE, lambada_source.TEST_FILE)


@pytest.fixture(autouse=True)
def clean(monkeypatch, tmp_path):
    """No variable, an empty cache and no network."""
    monkeypatch.delenv("KERAS_CGRU_DATA", raising=False)
    monkeypatch.setenv("KERAS_HOME", str(tmp_path / "keras-home"))
    monkeypatch.setattr(sources.tempfile, "gettempdir", lambda: str(tmp_path / "tmp"))
    monkeypatch.setattr(sources, "_is_reachable", lambda url: False)


def make_folder(folder, names=NAMES, glove=()):
    folder.mkdir(parents=True)
    for name in names:
        (folder / name).write_text(f"{name} a . b a\n")
    for name in glove:
        (folder.parent / "glove").mkdir(exist_ok=True)
        (folder.parent / "glove" / name).write_text("a 1 2\n")
    return folder


@pytest.mark.parametrize("named", ["parent", "itself"])
def test_a_folder_may_be_the_parent_or_the_folder_itself(tmp_path, named):
    folder = make_folder(tmp_path / "data" / "lambada-dataset", glove=["glove.2d.txt"])
    source = find_lambada(folder if named == "itself" else folder.parent)
    assert source.kind == "data-dir"
    assert source.folder == folder
    assert source.files["development"] == folder / NAMES[0]
    assert source.files["test"] == folder / NAMES[1]
    assert source.glove == folder.parent / "glove" / "glove.2d.txt"
    assert source.sha256.keys() == {*NAMES, "glove.2d.txt"}
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


@pytest.mark.parametrize("way", ["`data_dir` (--data-dir)", "KERAS_CGRU_DATA"])
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


def test_of_several_vectors_the_shortest_are_taken(tmp_path):
    names = ["glove.6B.300d.txt", "glove.6B.50d.txt.gz", "glove.custom.txt", "x.txt"]
    folder = make_folder(tmp_path / "data" / "lambada-dataset", glove=names)
    assert find_lambada(folder).glove.name == "glove.6B.50d.txt.gz"
    other = make_folder(tmp_path / "other" / "lambada-dataset")
    assert find_lambada(other).glove is None


@pytest.mark.parametrize("inner", ["", "lambada-dataset"])
def test_the_download_asks_for_the_known_hash(tmp_path, monkeypatch, inner):
    asked = {}

    def get_file(**arguments):
        asked.update(arguments, timeout=socket.getdefaulttimeout())
        folder = tmp_path / "keras-home" / "datasets" / "lambada-dataset"
        make_folder(folder / inner if inner else folder)
        return str(folder)

    monkeypatch.setattr(sources, "_is_reachable", lambda url: True)
    monkeypatch.setattr(keras.utils, "get_file", get_file)
    source = find_lambada()
    assert source.kind == "download"
    assert asked["origin"] == lambada_source.ARCHIVE_URL
    assert asked["file_hash"] == lambada_source.ARCHIVE_SHA256
    assert asked["timeout"] == 5.0
    assert socket.getdefaulttimeout() is None
    assert find_lambada().kind == "cache"
    assert find_lambada().folder == source.folder


def test_a_wrong_hash_is_an_error_and_a_lost_network_a_warning(monkeypatch):
    def fail_with(error):
        def get_file(**arguments):
            raise error

        monkeypatch.setattr(keras.utils, "get_file", get_file)

    monkeypatch.setattr(sources, "_is_reachable", lambda url: True)
    fail_with(ValueError("Incomplete or corrupted file"))
    with pytest.raises(ValueError, match="corrupted"):
        find_lambada()
    fail_with(Exception("URL fetch failure"))
    with pytest.warns(UserWarning, match="was not downloaded: URL fetch failure"):
        assert find_lambada() is None
    assert socket.getdefaulttimeout() is None


class TestReachable:
    @pytest.fixture(autouse=True)
    def real(self, monkeypatch):
        monkeypatch.undo()
        for name in ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"):
            monkeypatch.delenv(name, raising=False)

    def test_a_host_that_listens(self):
        with socket.create_server(("127.0.0.1", 0)) as server:
            port = server.getsockname()[1]
            assert sources._is_reachable(f"https://127.0.0.1:{port}/file")

    def test_a_host_that_does_not(self):
        with socket.create_server(("127.0.0.1", 0)) as server:
            port = server.getsockname()[1]
        assert not sources._is_reachable(f"https://127.0.0.1:{port}/file")

    def test_a_slow_name_look_up_is_given_up(self, monkeypatch):
        def slow(*arguments, **options):
            time.sleep(3)
            raise OSError

        monkeypatch.setattr(sources.socket, "create_connection", slow)
        start = time.monotonic()
        assert not sources._is_reachable("https://example.invalid", seconds=0.2)
        assert time.monotonic() - start < 2

    @pytest.mark.parametrize("scheme", ["http://", ""])
    def test_a_proxy_is_asked_instead(self, monkeypatch, scheme):
        with socket.create_server(("127.0.0.1", 0)) as server:
            port = server.getsockname()[1]
            monkeypatch.setenv("https_proxy", f"{scheme}127.0.0.1:{port}")
            assert sources._is_reachable("https://example.invalid/file")


def test_no_warning_where_all_is_well(tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        find_lambada(make_folder(tmp_path / "data"))
