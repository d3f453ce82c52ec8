"""Downloads, from a server of our own."""

import hashlib
import http.server
import io
import socket
import tarfile
import threading
import time
from dataclasses import replace

import pytest

from keras_cgru.data import download
from keras_cgru.data.find_corpus import find_corpus
from keras_cgru.data.lambada.source import LAMBADA

FILES = [path.name for path in LAMBADA.locate(download.Path()).values()]


def archive(prefix=""):
    """The archive of two tiny files, below a folder or not."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as tar:
        for name in FILES:
            member = tarfile.TarInfo(f"{prefix}{name}")
            content = b"a b . c a\n"
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content))
    return packed.getvalue()


@pytest.fixture
def home(monkeypatch, tmp_path):
    for name in ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.delenv("KERAS_CGRU_DATA", raising=False)
    monkeypatch.setenv("KERAS_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(download.tempfile, "gettempdir", lambda: str(tmp_path / "tmp"))
    return tmp_path / "home"


@pytest.fixture
def serve():
    """Serves contents by path; gives the address, and has the paths asked for."""
    contents, asked = {}, []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(self.path)
            content = contents.get(self.path)
            self.send_response(404 if content is None else 200)
            self.send_header("Content-Length", str(len(content or b"")))
            self.end_headers()
            self.wfile.write(content or b"")

        def log_message(self, *arguments):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    server.contents, server.asked = contents, asked
    server.url = f"http://127.0.0.1:{server.server_port}"
    yield server
    server.shutdown()
    server.server_close()


def corpus_at(*addresses):
    return replace(LAMBADA, archives=dict(addresses))


def sha256(content):
    return hashlib.sha256(content).hexdigest()


@pytest.mark.parametrize("prefix", ["", "lambada-dataset/"])
def test_an_archive_is_unpacked_into_the_cache(home, serve, prefix):
    serve.contents["/a.tar.gz"] = content = archive(prefix)
    corpus = corpus_at((f"{serve.url}/a.tar.gz", sha256(content)))
    source = find_corpus(corpus)
    assert source.kind == "download"
    assert home in source.folder.parents
    assert all(path.read_text() == "a b . c a\n" for path in source.files.values())
    again = find_corpus(corpus)
    assert (again.kind, again.folder) == ("cache", source.folder)
    assert serve.asked == ["/a.tar.gz"]
    assert not list(home.rglob("*.part"))


def test_another_archive_is_an_error_and_leaves_nothing(home, serve):
    serve.contents["/a.tar.gz"] = archive()
    corpus = corpus_at((f"{serve.url}/a.tar.gz", "0" * 64))
    with pytest.raises(ValueError, match="does not match the known hash: expected 000"):
        find_corpus(corpus)
    assert not [path for path in home.rglob("*") if path.is_file()]
    assert find_corpus(corpus, allow_download=False) is None


def test_an_archive_that_is_gone_is_a_warning_and_the_next_is_tried(home, serve):
    serve.contents["/b.tar.gz"] = content = archive()
    gone = (f"{serve.url}/a.tar.gz", sha256(b""))
    with pytest.warns(UserWarning, match="a.tar.gz was not downloaded: 404"):
        assert find_corpus(corpus_at(gone)) is None
    with pytest.warns(UserWarning, match="404"):
        source = find_corpus(
            corpus_at(gone, (f"{serve.url}/b.tar.gz", sha256(content)))
        )
    assert source.kind == "download"


def test_an_archive_without_the_files_is_an_error(home, serve):
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz"):
        pass
    serve.contents["/a.tar.gz"] = content = packed.getvalue()
    with pytest.raises(ValueError, match="a.tar.gz must hold lambada-dataset, with"):
        find_corpus(corpus_at((f"{serve.url}/a.tar.gz", sha256(content))))


def test_what_a_killed_process_left_is_unpacked_anew(home, serve):
    """A half-unpacked folder never counts, and a whole archive is not fetched again."""
    serve.contents["/a.tar.gz"] = content = archive()
    datasets = home / "datasets"
    (datasets / "lambada-dataset.part").mkdir(parents=True)
    (datasets / "lambada-dataset.part" / FILES[0]).write_text("half")
    (datasets / "lambada-dataset.tar.gz").write_bytes(content)
    source = find_corpus(corpus_at((f"{serve.url}/a.tar.gz", sha256(content))))
    assert source.files["development"].read_text() == "a b . c a\n"
    assert serve.asked == []


@pytest.mark.parametrize("inner", ["", "_extracted", "_extracted/lambada-dataset"])
def test_what_keras_downloaded_is_found(home, inner):
    folder = home / "datasets" / f"lambada-dataset{inner}"
    folder.mkdir(parents=True)
    for name in FILES:
        (folder / name).write_text("a b . c a\n")
    source = find_corpus(LAMBADA)
    assert (source.kind, source.folder) == ("cache", folder)


def test_without_pooch_the_install_line_is_said(home, serve, monkeypatch):
    monkeypatch.setattr(download, "_missing", ImportError("no pooch"))
    with pytest.raises(ImportError, match=r"`pooch`.*pip install .keras-cgru\[recipes"):
        find_corpus(corpus_at((f"{serve.url}/a.tar.gz", "0" * 64)))


def test_a_server_that_never_answers_is_given_up(home, monkeypatch):
    monkeypatch.setattr(download, "_TIMEOUT_SECONDS", 0.3)
    with socket.create_server(("127.0.0.1", 0)) as server:
        url = f"http://127.0.0.1:{server.getsockname()[1]}/a.tar.gz"
        start = time.monotonic()
        with pytest.warns(UserWarning, match="was not downloaded"):
            assert find_corpus(corpus_at((url, "0" * 64))) is None
        assert time.monotonic() - start < 5


class TestReachable:
    @pytest.fixture(autouse=True)
    def no_proxy(self, home):
        pass

    def test_a_host_that_listens(self):
        with socket.create_server(("127.0.0.1", 0)) as server:
            port = server.getsockname()[1]
            assert download._is_reachable(f"https://127.0.0.1:{port}/file")

    def test_a_host_that_does_not(self):
        with socket.create_server(("127.0.0.1", 0)) as server:
            port = server.getsockname()[1]
        assert not download._is_reachable(f"https://127.0.0.1:{port}/file")

    def test_a_slow_name_look_up_is_given_up(self, monkeypatch):
        def slow(*arguments, **options):
            time.sleep(3)
            raise OSError

        monkeypatch.setattr(download.socket, "create_connection", slow)
        start = time.monotonic()
        assert not download._is_reachable("https://example.invalid", seconds=0.2)
        assert time.monotonic() - start < 2

    @pytest.mark.parametrize("scheme", ["http://", ""])
    def test_a_proxy_is_asked_instead(self, monkeypatch, scheme):
        with socket.create_server(("127.0.0.1", 0)) as server:
            port = server.getsockname()[1]
            monkeypatch.setenv("https_proxy", f"{scheme}127.0.0.1:{port}")
            assert download._is_reachable("https://example.invalid/file")
