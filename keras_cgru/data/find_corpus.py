"""Finds the files of a corpus: a folder given, a variable, the cache, the archive."""

from __future__ import annotations

import os
import re
import socket
import tempfile
import threading
import urllib.request
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import keras

from keras_cgru.data.corpus import Corpus
from keras_cgru.data.data_source import DataSource, SourceKind, sha256_of

ENVIRONMENT_VARIABLE = "KERAS_CGRU_DATA"
_TIMEOUT_SECONDS = 5.0


def find_corpus(
    corpus: Corpus,
    data_dir: str | os.PathLike[str] | None = None,
    allow_download: bool = True,
) -> DataSource | None:
    """Finds the files of a corpus.

    The places, in this order: `data_dir`; the folder that the environment variable
    `KERAS_CGRU_DATA` names; the download cache of Keras, `~/.keras/datasets` or that
    of `KERAS_HOME`; the official archive, which is downloaded into that cache and
    checked by its SHA-256. A folder may be the corpus's own or the one that holds it.

    A folder that is named but lacks a file is an error and never passed over.

    Args:
        corpus: What is looked for.
        data_dir: A folder, or None.
        allow_download: Whether to try the archive when nothing else is found.

    Returns:
        The source, with the SHA-256 of the files found, or None where nothing is
        found: offline, or `allow_download` is False.

    Raises:
        FileNotFoundError: `data_dir` or `KERAS_CGRU_DATA` lacks a file; the message
            names it.
        ValueError: A downloaded archive is not the official one.
    """
    if data_dir is not None:
        return _demand(corpus, Path(data_dir), "data-dir", "`data_dir` (--data-dir)")
    named = os.environ.get(ENVIRONMENT_VARIABLE)
    if named:
        return _demand(corpus, Path(named), "environment", ENVIRONMENT_VARIABLE)
    for folder in _cache_folders(corpus):
        if not corpus.missing(folder):
            return _to_source(corpus, folder, "cache")
    if allow_download:
        for url in corpus.archives:
            source = _download(corpus, url)
            if source is not None:
                return source
    return None


def _demand(corpus: Corpus, folder: Path, kind: SourceKind, name: str) -> DataSource:
    folder = folder.expanduser()
    inner = folder / corpus.folder
    found = inner if inner.is_dir() else folder
    missing = corpus.missing(found)
    if missing:
        raise FileNotFoundError(
            f"{name} must be the folder {corpus.folder} or hold it, {corpus.wanted}. "
            f"Received: {folder}, where there is no "
            + " and no ".join(map(str, missing))
        )
    return _to_source(corpus, found, kind)


def _to_source(corpus: Corpus, folder: Path, kind: SourceKind) -> DataSource:
    files = corpus.locate(folder)
    glove = None
    if corpus.reads_vectors:
        glove = _find_glove(folder.absolute().parent / "glove")
    used = [*files.values(), *([] if glove is None else [glove])]
    return DataSource(
        kind=kind,
        folder=folder,
        files=files,
        glove=glove,
        sha256={path.name: sha256_of(path) for path in used},
        reads_vectors=corpus.reads_vectors,
    )


def _find_glove(folder: Path) -> Path | None:
    def dimension(path: Path) -> tuple[float, str]:
        found = re.search(r"\.(\d+)d\.", path.name)
        return (int(found[1]) if found else float("inf"), path.name)

    files = [*folder.glob("glove*.txt"), *folder.glob("glove*.txt.gz")]
    return min(files, key=dimension, default=None)


def _keras_home() -> Path:
    home = os.environ.get("KERAS_HOME")
    return Path(home).expanduser() if home else Path.home() / ".keras"


def _cache_folders(corpus: Corpus) -> Iterator[Path]:
    """The folders into which `keras.utils.get_file` extracts the archive."""
    # It falls back to a folder of the system where the home cannot be written.
    for home in (_keras_home(), Path(tempfile.gettempdir()) / ".keras"):
        for name in (corpus.folder, f"{corpus.folder}_extracted"):
            folder = home / "datasets" / name
            yield folder
            yield folder / corpus.folder


def _download(corpus: Corpus, url: str) -> DataSource | None:
    if not _is_reachable(url):
        return None
    try:
        with _default_timeout(_TIMEOUT_SECONDS):
            extracted = Path(
                keras.utils.get_file(
                    fname=corpus.folder,
                    origin=url,
                    file_hash=corpus.archives[url],
                    hash_algorithm="sha256",
                    extract=True,
                    cache_dir=str(_keras_home()),
                )
            )
    except ValueError:
        # The hash is wrong: nothing to be passed over in silence.
        raise
    except Exception as error:
        # get_file turns what the network says into a bare Exception.
        warnings.warn(f"{url} was not downloaded: {error}", stacklevel=4)
        return None
    for folder in (extracted, extracted / corpus.folder):
        if not corpus.missing(folder):
            return _to_source(corpus, folder, "download")
    raise ValueError(f"{url} must hold {corpus.folder}, {corpus.wanted}")


def _is_reachable(url: str, seconds: float = _TIMEOUT_SECONDS) -> bool:
    """Whether the host of a URL, or the proxy towards it, accepts a connection."""
    proxy = urllib.request.getproxies().get(urlsplit(url).scheme)
    # A proxy may be written without its scheme.
    parts = urlsplit(url if not proxy else proxy if "://" in proxy else f"//{proxy}")
    address = (parts.hostname or "", parts.port or (80 if proxy else 443))
    connected = threading.Event()

    def connect() -> None:
        try:
            socket.create_connection(address, timeout=seconds).close()
        except OSError:
            return
        connected.set()

    # The look-up of a name knows no time-out: without a thread it may take minutes.
    thread = threading.Thread(target=connect, daemon=True)
    thread.start()
    thread.join(seconds)
    return connected.is_set()


@contextmanager
def _default_timeout(seconds: float) -> Iterator[None]:
    before = socket.getdefaulttimeout()
    socket.setdefaulttimeout(seconds)
    try:
        yield
    finally:
        socket.setdefaulttimeout(before)
