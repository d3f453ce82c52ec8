"""Finds the files of a corpus: a folder given, a variable, the cache, the archive."""

from __future__ import annotations

import os
from pathlib import Path

from keras_cgru.data.corpus import Corpus
from keras_cgru.data.data_source import DataSource, SourceKind
from keras_cgru.data.download import cache_folders, download
from keras_cgru.data.official import sha256_of
from keras_cgru.files import to_path

ENVIRONMENT_VARIABLE = "KERAS_CGRU_DATA"


def official_or_simulated(
    corpus: Corpus,
    data_dir: str | os.PathLike[str] | None = None,
    simulated: bool = False,
    allow_download: bool = True,
) -> DataSource:
    """Decides what a run reads: the files of a corpus, or stories in their place.

    Args:
        corpus: What is looked for.
        data_dir, allow_download: See `find_corpus`.
        simulated: Whether stories are asked for, whatever files there are.

    Returns:
        The source; its `label` says what it is and its `line()` tells the user.

    Raises:
        FileNotFoundError: See `find_corpus`.
        ValueError: The same; or both `data_dir` and `simulated` are given.
    """
    if simulated and data_dir is not None:
        raise ValueError(
            f"`data_dir` must be left out with `simulated`. Received: {data_dir}"
        )
    source = None if simulated else find_corpus(corpus, data_dir, allow_download)
    if source is not None:
        return source
    why = ", as asked for" if simulated else ", whose files were not found"
    return DataSource("simulated", name=corpus.name, title=corpus.title, why=why)


def find_corpus(
    corpus: Corpus,
    data_dir: str | os.PathLike[str] | None = None,
    allow_download: bool = True,
) -> DataSource | None:
    """Finds the files of a corpus.

    The places, in this order: `data_dir`; the folder that the environment variable
    `KERAS_CGRU_DATA` names; the download cache, which is that of Keras,
    `~/.keras/datasets` or below `KERAS_HOME`; the official archive, which is downloaded
    into that cache and checked by its SHA-256. A folder may be the corpus's own or the
    one that holds it.

    A folder that is named but lacks a file is an error and never passed over.

    Args:
        corpus: What is looked for.
        data_dir: A folder, or None.
        allow_download: Whether to try the archive when nothing else is found.

    Returns:
        The source, with the SHA-256 of the files found and how they differ from the
        official ones, or None where nothing is found: offline, or `allow_download` is
        False.

    Raises:
        FileNotFoundError: `data_dir` or `KERAS_CGRU_DATA` lacks a file; the message
            names it.
        ImportError: See `download`.
        ValueError: A downloaded archive is not the official one, or a folder is an
            address.
    """
    if data_dir is not None:
        folder = to_path(data_dir, "data_dir")
        return _demand(corpus, folder, "data-dir", "`data_dir`")
    if named := os.environ.get(ENVIRONMENT_VARIABLE):
        folder = to_path(named, ENVIRONMENT_VARIABLE)
        return _demand(corpus, folder, "environment", ENVIRONMENT_VARIABLE)
    for folder in cache_folders(corpus):
        if not corpus.missing(folder):
            return _to_source(corpus, folder, "cache")
    for url in corpus.archives if allow_download else ():
        if (downloaded := download(corpus, url)) is not None:
            return _to_source(corpus, downloaded, "download")
    return None


def _demand(corpus: Corpus, folder: Path, kind: SourceKind, name: str) -> DataSource:
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
    sha256 = {path.name: sha256_of(path) for path in files.values()}
    return DataSource(
        kind=kind,
        folder=folder,
        files=files,
        sha256=sha256,
        name=corpus.name,
        title=corpus.title,
        differences=corpus.differences(files, sha256),
    )
