"""The folder that holds everything a run produces."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Collection, Iterable, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from keras_cgru.files import (
    check_output_folder,
    is_empty_folder,
    locked_folder,
    read_json,
    write_json,
)


class RunFolder:
    """`config.json`, logs, models and results of one run, under one path.

    Args:
        path: The folder.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
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
    def readings(self) -> Path:
        return self.path / "readings.jsonl.gz"

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
    def characters(self) -> Path:
        """The character ids of a reader of characters."""
        return self.path / "characters.json"

    @property
    def reader(self) -> Path:
        """What the answers of its reader mean, where the config does not say it."""
        return self.path / "reader.json"

    @property
    def backup(self) -> Path:
        return self.path / "backup.npz"

    @classmethod
    def choose(cls, asked: str | None, default: Path, resume: bool) -> RunFolder:
        """The folder of a new run, or of the one to resume.

        Args:
            asked: The folder that the user names, or None.
            default: Where a run goes that names none. A new run never touches an
                older one, and stands behind all of them: after `default` and
                `default-3` it takes `default-4`. Resuming takes the last that holds
                a run.
            resume: Whether a run is resumed.

        Raises:
            FileExistsError: If a new run would write into a folder in use.
            FileNotFoundError: If there is no run to resume.
            NotADirectoryError: If the user names a file.
            PermissionError: If nothing may be written there.
            ValueError: If the user names an address.
        """
        if asked is None:
            return cls._numbered(default, resume)
        folder = cls(check_output_folder(asked, "run_dir"))
        if resume and not folder.config.exists():
            raise FileNotFoundError(
                f"`resume`: {folder.path} holds no run (no config.json)"
            )
        if not resume and folder.path.exists() and not is_empty_folder(folder.path):
            raise FileExistsError(
                f"`run_dir` must be a new or empty folder, or be given with `resume`. "
                f"Received: {folder.path}, which is not empty"
            )
        return folder

    @classmethod
    def _numbered(cls, default: Path, resume: bool) -> RunFolder:
        numbers = _numbers_in_use(default)
        if not resume:
            number = max(numbers, default=0) + 1
            return cls(check_output_folder(_with_number(default, number), "run_dir"))
        earlier = [cls(_with_number(default, number)) for number in sorted(numbers)]
        # One that was stopped before it wrote its config holds nothing to go on from.
        runs = [folder for folder in earlier if folder.config.exists()] or earlier
        if not runs:
            raise FileNotFoundError(f"`resume`: there is no run at {default}")
        return runs[-1]

    def locked(self) -> AbstractContextManager[None]:
        """Makes the folder and keeps other runs away; see `files.locked_folder`."""
        return locked_folder(self.path)

    def finished(self, epochs: int) -> bool:
        """Whether the folder holds the results of a run of so many epochs."""
        if not self.metrics.exists():
            return False
        return bool(read_json(self.metrics).get("epochs") == epochs)

    def finished_epochs(self) -> int:
        """How many epochs the table of epochs holds; 0 where there is none."""
        from keras_cgru.callbacks import read_metrics  # It imports Keras.

        rows = read_metrics(self.epochs) if self.epochs.exists() else []
        return max((row["epoch"] for row in rows), default=0)

    def write_config(self, config: Mapping[str, Any]) -> None:
        self.path.mkdir(parents=True, exist_ok=True)
        write_json(self.config, config)

    def check_resumed(
        self, config: Mapping[str, Any], may_change: Collection[str]
    ) -> None:
        """Refuses to go on with a run that began otherwise.

        An option that the stored config does not say is one of a later version, and
        what it was is not known: that is said, and the run goes on.

        Args:
            config: The config that the resumed run has now, with `recipe`, `settings`
                and `data`. No fewer epochs may be asked for than are finished.
            may_change: The settings in which the two may differ.

        Raises:
            ValueError: They differ in another; the message says in which.
        """
        stored = read_json(self.config).get("settings", {})
        names = [name for name in config["settings"] if name not in may_change]
        unknown = {name for name in names if name not in stored}
        if "threads" in names and stored.get("threads") is None:
            unknown.add("threads")  # It could not be fixed.
        fixed = [f"settings.{name}" for name in names if name not in unknown]
        self.check_config(config, ["recipe", *fixed, "data.sha256"])
        for name in sorted(unknown):
            now = config["settings"][name]
            print(
                f"It does not say with which `{name}` it began; it goes on with {now}."
            )
        finished, asked = self.finished_epochs(), config["settings"]["epochs"]
        if finished > asked:
            raise ValueError(
                f"`epochs` must be at least {finished}, the epochs that the run has "
                f"finished. Received: {asked}"
            )

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
                    f"`resume`: {key} must be what the run in {self.path} began with: "
                    f"{was!r}. Received: {now!r}"
                )


def _numbers_in_use(default: Path) -> set[int]:
    """Of `default` (1), `default-2`, ... those that exist, whatever they are."""
    if not default.parent.is_dir():
        return set()
    names = os.listdir(default.parent)
    pattern = re.compile(rf"{re.escape(default.name)}-([2-9]|[1-9][0-9]+)")
    found = [pattern.fullmatch(name) for name in names]
    numbers = {int(match[1]) for match in found if match}
    return numbers | {1} if default.name in names else numbers


def _with_number(default: Path, number: int) -> Path:
    return default if number == 1 else default.with_name(f"{default.name}-{number}")


def _lookup(config: Mapping[str, Any], key: str) -> Any:
    value: Any = config
    for part in key.split("."):
        value = value.get(part) if isinstance(value, Mapping) else None
    return value
