"""Downloads the archive of a corpus, without hanging where there is no network."""

from __future__ import annotations

import os
import shutil
import socket
import tempfile
import threading
import urllib.request
import warnings
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import urlsplit

from keras_cgru.data.corpus import Corpus
from keras_cgru.files import to_path

try:
    import pooch
except ImportError as error:
    _missing: ImportError | None = error
else:
    _missing = None

_TIMEOUT_SECONDS = 5.0


def cache_folders(corpus: Corpus) -> Iterator[Path]:
    """The folders in which an earlier download may lie, those of Keras's own too."""
    for datasets in _homes():
        # The second is what newer versions of `keras.utils.get_file` extract to.
        for name in (corpus.folder, f"{corpus.folder}_extracted"):
            yield datasets / name
            yield datasets / name / corpus.folder


def download(corpus: Corpus, url: str) -> Path | None:
    """Fetches an archive and unpacks it into the cache.

    Args:
        corpus: Whose archive.
        url: One of its addresses.

    Returns:
        The folder with the corpus's files; None, with a warning, where the address
        does not answer.

    Raises:
        ImportError: `pooch` is not installed.
        ValueError: The archive is not the official one.
    """
    if not _is_reachable(url):
        return None
    if _missing is not None:
        raise ImportError(
            f"To download {corpus.title} needs the `pooch` package, or give its files: "
            'pip install "keras-cgru[recipes]"'
        ) from _missing
    try:
        folder = _fetch(corpus, url)
    except OSError as error:
        warnings.warn(f"{url} was not downloaded: {error}", stacklevel=5)
        return None
    for inner in (folder, folder / corpus.folder):
        if not corpus.missing(inner):
            return inner
    raise ValueError(f"{url} must hold {corpus.folder}, {corpus.wanted}")


def _fetch(corpus: Corpus, url: str) -> Path:
    datasets = _writable_home()
    folder = datasets / corpus.folder
    # Unpacked aside: a folder that a killed process left half full is never used.
    part = folder.with_name(f"{folder.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    pooch.retrieve(
        url,
        known_hash=corpus.archives[url],
        fname=f"{corpus.folder}.tar.gz",
        path=datasets,
        processor=pooch.Untar(extract_dir=part.name),
        downloader=pooch.HTTPDownloader(
            progressbar=find_spec("tqdm") is not None,
            chunk_size=1 << 16,
            timeout=_TIMEOUT_SECONDS,
        ),
    )
    shutil.rmtree(folder, ignore_errors=True)
    return part.rename(folder)


def _homes() -> Iterator[Path]:
    """Where Keras, too, keeps data sets: its home, or a folder of the system."""
    home = os.environ.get("KERAS_HOME")
    yield (to_path(home, "KERAS_HOME") if home else Path.home() / ".keras") / "datasets"
    yield Path(tempfile.gettempdir()) / ".keras" / "datasets"


def _writable_home() -> Path:
    home, other = _homes()
    try:
        home.mkdir(parents=True, exist_ok=True)
    except OSError:
        return other
    return home if os.access(home, os.W_OK) else other


def _is_reachable(url: str, seconds: float = _TIMEOUT_SECONDS) -> bool:
    """Whether the host of a URL, or the proxy towards it, accepts a connection."""
    proxy = urllib.request.getproxies().get(urlsplit(url).scheme)
    # A proxy may be written without its scheme.
    parts = urlsplit(url if not proxy else proxy if "://" in proxy else f"//{proxy}")
    scheme_port = 80 if proxy or parts.scheme == "http" else 443
    address = (parts.hostname or "", parts.port or scheme_port)
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
