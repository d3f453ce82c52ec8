"""Answers as lines of a file."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

from keras_cgru.answering.asked import Asked
from keras_cgru.files import locked, parse_json, read_lines, short


class AnswerFile:
    """A file of answers that a stopped command leaves whole and another goes on with.

    It holds JSON lines, one a question in their order; null for one without an answer.

    Args:
        path: The file, as `check_output` gave it; also a device or a pipe.
        resume: Whether it goes on behind the answers that are there.
        overwrite: Whether it begins anew.

    Raises:
        FileExistsError: There are answers, and neither is asked for.
    """

    def __init__(self, path: Path, resume: bool, overwrite: bool) -> None:
        self.path, self.overwrite = path, overwrite
        if resume or overwrite or not path.is_file() or not path.stat().st_size:
            return
        raise FileExistsError(
            f"`output` holds answers: {path}. Give --resume to go on behind them, or "
            "--overwrite"
        )

    def locked(self) -> contextlib.AbstractContextManager[None]:
        """Keeps a second command away."""
        is_device = self.path.exists() and not self.path.is_file()
        if is_device or str(self.path).startswith("/dev/"):
            return contextlib.nullcontext()
        return locked(self.path)

    def begin(self, questions: Iterator[Asked]) -> int:
        """Goes by the questions that have answers; gives their number.

        A line that was cut off is taken away.

        Raises:
            ValueError: The answers are those to other questions.
        """
        if not self.path.is_file():
            return 0
        if self.overwrite:
            self.path.write_bytes(b"")
            return 0
        self._cut()
        number = 0
        for number, line in read_lines(self.path):
            kept = parse_json(line, f"{self.path}:{number}")
            self._compare(number, kept, next(questions, None))
        return number

    def append(self, line: str) -> None:
        """Adds a line, whole or not at all as far as the system allows it."""
        with open(self.path, "a", encoding="utf-8", newline="\n") as file:
            file.write(line + "\n")

    def _cut(self) -> None:
        length = 0
        with open(self.path, "r+b") as file:
            for line in file:
                length += len(line) * line.endswith(b"\n")
            file.truncate(length)

    def _compare(self, number: int, kept: object, asked: Asked | None) -> None:
        # Null stands for a question that was left out.
        id = kept.get("id") if isinstance(kept, dict) else kept
        if asked is not None and id in (None, asked.id):
            return
        there = "no question" if asked is None else f"the question {asked.id!r}"
        raise ValueError(
            "`resume` must come with the questions of the first time. Received: "
            f"{self.path}:{number} answers {short(id)}, where there is {there}"
        )
