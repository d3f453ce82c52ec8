"""Small made-up records in the official form."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from keras_cgru.data.wikihop.record import WikiHopRecord

FIELDS: dict[str, Any] = {
    "id": "WH_0",
    "query": "country_of_citizenship anna keller",
    "answer": "galdovia",
    "candidates": ["belmark", "galdovia"],
    "supports": ["Anna Keller lives in Tarnow.", "Tarnow is in Galdovia, not Belmark."],
}


@pytest.fixture
def make_record() -> Callable[..., WikiHopRecord]:
    def make(**changes: Any) -> WikiHopRecord:
        return WikiHopRecord.of(FIELDS | changes, "file")

    return make


@pytest.fixture
def write_records(tmp_path) -> Callable[..., Path]:
    """Writes records, each given by what differs from the fields above."""

    def write(*changes: Any, name: str = "dev.json") -> Path:
        items = [
            {"id": f"WH_{number}"} | each if isinstance(each, dict) else each
            for number, each in enumerate(changes)
        ]
        items = [FIELDS | each if isinstance(each, dict) else each for each in items]
        (tmp_path / name).write_text(json.dumps(items), encoding="utf-8")
        return tmp_path / name

    return write


@pytest.fixture
def real_files() -> dict[str, Path]:
    """The official files; skips where there are none."""
    folder = Path(os.environ.get("KERAS_CGRU_DATA", ""), "qangaroo_v1.1", "wikihop")
    if not os.environ.get("KERAS_CGRU_DATA") or not folder.is_dir():
        pytest.skip("KERAS_CGRU_DATA names no folder with qangaroo_v1.1/wikihop")
    return {split: folder / f"{split}.json" for split in ("train", "dev")}
