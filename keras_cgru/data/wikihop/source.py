"""The WikiHop files: what they are called, and what is known of the official ones."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path

from keras_cgru.data.corpus import Corpus
from keras_cgru.data.official import OfficialFile
from keras_cgru.files import read_json_list

FOLDER = "qangaroo_v1.1"
# Records of the official files. Their SHA-256 are not known here: files of these
# numbers pass for official, and what was found is noted in every run.
OFFICIAL = {"train": OfficialFile(None, 43_738), "dev": OfficialFile(None, 5_129)}


def wikihop_corpus(masked: bool = False) -> Corpus:
    """The files of WikiHop, plain or with candidates masked.

    There is no archive to download: the official one, `qangaroo_v1.1.zip`, lies with a
    service that gives it to browsers alone (http://qangaroo.cs.ucl.ac.uk).

    Args:
        masked: Whether `train.masked.json` and `dev.masked.json` are meant, in which
            each candidate is a name such as `___MASK7___`.
    """
    end = ".masked.json" if masked else ".json"
    return Corpus(
        name="wikihop-masked" if masked else "wikihop",
        title="WikiHop, masked" if masked else "WikiHop",
        folder=FOLDER,
        wanted=f"with train{end} and dev{end} in it or in its folder wikihop",
        locate=partial(_locate, end=end),
        archives={},
        official=OFFICIAL,
        records="records",
        count_records=_count_records,
    )


def _locate(folder: Path, end: str) -> Mapping[str, Path]:
    inner = folder / "wikihop" if (folder / "wikihop").is_dir() else folder
    return {split: inner / f"{split}{end}" for split in OFFICIAL}


def _count_records(path: Path) -> int:
    return sum(1 for _ in read_json_list(path))


WIKIHOP = wikihop_corpus()
