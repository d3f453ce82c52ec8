"""The LAMBADA files: what they are called, which are official, where they are had."""

from __future__ import annotations

import os
from pathlib import Path

from keras_cgru.data.corpus import Corpus
from keras_cgru.data.data_source import DataSource
from keras_cgru.data.find_corpus import find_corpus
from keras_cgru.data.official import OfficialFile

DEVELOPMENT_FILE = "lambada_development_plain_text.txt"
TEST_FILE = "lambada_test_plain_text.txt"

ARCHIVE_URL = "https://zenodo.org/record/2630551/files/lambada-dataset.tar.gz"
# As TensorFlow Datasets and Hugging Face Datasets both publish it, for 334,527,694
# bytes; not yet verified with a download of our own.
ARCHIVE_SHA256 = "8fbe499096ddbdcbbd0cac406861b5026fb451d15b8fe04e0e4f3d082f2ad5d7"


def _locate(folder: Path) -> dict[str, Path]:
    return {"development": folder / DEVELOPMENT_FILE, "test": folder / TEST_FILE}


LAMBADA = Corpus(
    name="lambada",
    title="LAMBADA",
    folder="lambada-dataset",
    wanted=f"with {DEVELOPMENT_FILE} and {TEST_FILE} in it",
    locate=_locate,
    archives={ARCHIVE_URL: ARCHIVE_SHA256},
    official={
        "development": OfficialFile(
            "f5b0f1e38fcdad6a1cd3a17bee4b6932a28cd9c5f463ada970c61de0f8679f2f", 4869
        ),
        "test": OfficialFile(
            "4ab6062b68422bf2e83653d367c9765d42404f7ec21b8b59b6518b45606aaef2", 5153
        ),
    },
    records="passages",
)


def find_lambada(
    data_dir: str | os.PathLike[str] | None = None, allow_download: bool = True
) -> DataSource | None:
    """Finds LAMBADA's development and test passages.

    See `find_corpus` for the places. The official archive has 335 MB (Zenodo record
    2630551).

    Args:
        data_dir: `lambada-dataset`, the folder that holds it, or None.
        allow_download: Whether to try the archive when nothing else is found.

    Returns:
        The source, with the roles "development" and "test", or None.

    Raises:
        FileNotFoundError, ImportError, ValueError: See `find_corpus`.
    """
    return find_corpus(LAMBADA, data_dir, allow_download)
