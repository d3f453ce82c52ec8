"""The folder that holds everything a run produces."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from keras_cgru.callbacks import read_metrics
from keras_cgru.files import locked, read_json, write_json


class RunFolder:
    """`config.json`, logs, models and results of one run, under one path.

    Args:
        path: The folder.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)

    @property
    def config(self) -> Path:
        return self.path / "config.json"

    @property
    def metrics(self) -> Path:
        return self.path / "metrics.json"

    @property
    def predictions(self) -> Path:
        return self.path / "predictions.jsonl"

    @property
    def epochs(self) -> Path:
        return self.path / "metrics.csv"

    @property
    def best_model(self) -> Path:
        return self.path / "best.keras"

    @property
    def vocabulary(self) -> Path:
        return self.path / "vocabulary.json"

    @property
    def backup(self) -> Path:
        return self.path / "backup.npz"

    @classmethod
    def choose(cls, asked: str | None, default: Path, resume: bool) -> RunFolder:
        """The folder of a new run, or of the one to resume.

        Args:
            asked: The folder that the user names, or None.
            default: Where a run goes that names none. A new run never touches an
                older one: it takes `default-2`, `default-3`, ... where that exists.
                Resuming takes the last of them.
            resume: Whether a run is resumed.

        Raises:
            FileExistsError: If a new run would write into a folder in use.
            FileNotFoundError: If there is no run to resume.
            NotADirectoryError: If the user names a file.
        """
        if asked is not None:
            folder = cls(asked)
            if folder.path.exists() and not folder.path.is_dir():
                raise NotADirectoryError(
                    f"--run-dir must be a folder. Received: {folder.path}, a file"
                )
            if resume and not folder.config.exists():
                raise FileNotFoundError(
                    f"--resume: {folder.path} holds no run (no config.json)"
                )
            if not resume and folder.path.exists() and any(folder.path.iterdir()):
                raise FileExistsError(
                    f"--run-dir must be a new or empty folder, or be given with "
                    f"--resume. Received: {folder.path}, which is not empty"
                )
            return folder
        earlier, free = _numbered(default)
        if not resume:
            return cls(free)
        if earlier is None:
            raise FileNotFoundError(f"--resume: there is no run at {default}")
        return cls(earlier)

    def locked(self) -> AbstractContextManager[None]:
        """Keeps other runs away from the folder; see `files.locked`."""
        return locked(self.path)

    def finished(self, epochs: int) -> bool:
        """Whether the folder holds the results of a run of so many epochs."""
        if not self.metrics.exists():
            return False
        return read_json(self.metrics).get("epochs") == epochs

    def finished_epochs(self) -> int:
        """How many epochs the table of epochs holds; 0 where there is none."""
        rows = read_metrics(self.epochs) if self.epochs.exists() else []
        return max((row["epoch"] for row in rows), default=0)

    def write_config(self, config: Mapping[str, Any]) -> None:
        self.path.mkdir(parents=True, exist_ok=True)
        write_json(self.config, config)

    def check_config(self, config: Mapping[str, Any], keys: Iterable[str]) -> None:
        """Raises `ValueError` where a resumed run's config differs from the stored.

        Args:
            config: The config that the resumed run has now.
            keys: Dotted keys that must agree, such as `settings.units`.
        """
        stored = read_json(self.config)
        # A tuple is a list in the file.
        config = json.loads(json.dumps(config))
        for key in keys:
            was, now = _lookup(stored, key), _lookup(config, key)
            if was != now:
                raise ValueError(
                    f"--resume: {key} must be what the run in {self.path} began with: "
                    f"{was!r}. Received: {now!r}"
                )


def _numbered(default: Path) -> tuple[Path | None, Path]:
    """The last of `default`, `default-2`, ... that exists, and the next free one."""
    last, candidate, number = None, default, 1
    while candidate.exists():
        last, number = candidate, number + 1
        candidate = default.with_name(f"{default.name}-{number}")
    return last, candidate


def _lookup(config: Mapping[str, Any], key: str) -> Any:
    value: Any = config
    for part in key.split("."):
        value = value.get(part) if isinstance(value, Mapping) else None
    return value
