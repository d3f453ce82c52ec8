"""The unfinished work of a run: a folder of parts beside the output."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from keras_cgru.coref.annotating.outputs.part import read_part
from keras_cgru.files import atomic_write, locked, read_json, write_json

_CONFIG = "config.json"


def read_config(output: str | os.PathLike[str]) -> dict[str, Any]:
    """The options of the unfinished run beside an output; none where there is none.

    Raises:
        ValueError: The file was changed by others; the message names it.
    """
    path = Path(f"{os.fspath(output)}.parts", _CONFIG)
    if not path.is_file() or not path.with_name("job.json").is_file():
        return {}
    config = read_json(path)
    if not isinstance(config, dict):
        raise ValueError(f"{path}: must hold an object. Received: {config!r:.80}")
    return config


class PartFolder:
    """Keeps finished parts until the output is complete.

    `OUTPUT.parts/` holds `job.json`, what the work depends on, `config.json`, how it
    was asked for, `replaces.json`, which files it may replace, and a file a part. Each
    appears as a whole or not at all, so a kill at any moment costs the parts that were
    being worked on and nothing else.

    Args:
        output: The file that the parts will become.
        job: What the work depends on: settings, inputs, versions.
        config: The options that a resumed run need not be given again.
    """

    def __init__(
        self,
        output: str | os.PathLike[str],
        job: Mapping[str, Any],
        config: Mapping[str, Any] | None = None,
    ) -> None:
        self.path = Path(f"{os.fspath(output)}.parts")
        self._config = config
        # As it will be read: tuples are lists there.
        self._job = json.loads(json.dumps(job))

    @property
    def is_unfinished(self) -> bool:
        """Whether an earlier run left work here."""
        return self._job_file.is_file()

    def start(self, resume: bool, outputs: Sequence[Path] = ()) -> None:
        """Begins the work, or goes on with it.

        Args:
            resume: Whether to keep the parts of an earlier run.
            outputs: The files that the parts will become. Those that are there when
                the work begins may be replaced, and no others.

        Raises:
            ValueError: The earlier run's settings or inputs were others, the folder
                holds files of others, or an output has appeared since the work began;
                the message names what differs.
        """
        if resume and self.is_unfinished:
            self._compare(read_json(self._job_file))
            self._check_outputs(outputs)
            return
        self._check_own()
        # What a kill left of the folder while it was being removed.
        self.clear()
        self._replace([file for file in outputs if file.exists()])
        if self._config is not None:
            write_json(self.path / _CONFIG, dict(self._config))
        write_json(self._job_file, self._job)

    def claim(self, outputs: Sequence[Path]) -> None:
        """Says that the outputs are being written: a later run may replace them.

        Raises:
            ValueError: An output has appeared since the work began.
        """
        self._check_outputs(outputs)
        self._replace(outputs)

    def read(self, index: int) -> bytes | None:
        """A finished part; None where it is still to be done.

        Raises:
            ValueError: The file was changed by others; the message names it.
        """
        file = self._file(index)
        if not file.is_file():
            return None
        content = file.read_bytes()
        try:
            head, _ = read_part(content)
        except ValueError as error:
            raise ValueError(f"{file}: {error}") from error
        if head["index"] != index:
            raise ValueError(
                f"{file}: `index` must be {index}. Received: {head['index']}"
            )
        return content

    def write(self, index: int, content: bytes) -> None:
        """Keeps a finished part."""
        with atomic_write(self._file(index)) as file:
            file.write(content)

    def clear(self) -> None:
        """Removes the folder and all parts."""
        # The job first: parts without one are no unfinished work.
        self._job_file.unlink(missing_ok=True)
        if self.path.is_dir():
            shutil.rmtree(self.path)

    def clear_if_empty(self) -> None:
        """Removes the folder if not one part is finished."""
        if not any(self.path.glob("part-*")):
            self.clear()

    def locked(self) -> AbstractContextManager[None]:
        """Keeps other runs away from the same output; see `files.locked`."""
        return locked(self.path)

    def _check_own(self) -> None:
        """Refuses a folder with files of others, which `clear` would remove."""
        own = ("job.json", _CONFIG, "replaces.json", "part-*.arrow", ".*.tmp")
        for file in self.path.glob("*"):
            if not any(map(file.match, own)):
                raise ValueError(
                    f"{self.path} must hold nothing but the parts of a run. "
                    f"Received: {file.name}"
                )

    def _replace(self, outputs: Sequence[Path]) -> None:
        write_json(self._replaces_file, [file.name for file in outputs])

    def _check_outputs(self, outputs: Sequence[Path]) -> None:
        known = read_json(self._replaces_file) if self._replaces_file.is_file() else []
        for file in outputs:
            if file.exists() and file.name not in known:
                raise ValueError(
                    f"`output` must not exist. Received: {file}, which was not there "
                    f"when the run in {self.path} began. Move it away, and `resume` "
                    "goes on"
                )

    def _compare(self, before: dict[str, Any]) -> None:
        for name in sorted({*before, *self._job}):
            if before.get(name) != self._job.get(name):
                raise ValueError(
                    f"`resume` must go on with the same {name}, here "
                    f"{self._job.get(name)!r}. Received in {self._job_file}: "
                    f"{before.get(name)!r}"
                )

    @property
    def _job_file(self) -> Path:
        return self.path / "job.json"

    @property
    def _replaces_file(self) -> Path:
        return self.path / "replaces.json"

    def _file(self, index: int) -> Path:
        return self.path / f"part-{index:06}.arrow"
