"""The items of a JSON list, read one after the other."""

from __future__ import annotations

import codecs
import json
import os
import re
from collections.abc import Iterator
from json import JSONDecodeError
from typing import Any, BinaryIO, NoReturn

from keras_cgru.files.paths import to_path
from keras_cgru.files.short import short

_CHUNK = 1 << 20
# No item is longer; a list of longer ones is not what this is for.
_LONGEST = 1 << 26
# So near to the end of what was read, an error may be that the rest is missing.
_NEAR = 32
_SPACE = re.compile(r"[ \t\n\r]*")
_DECODER = json.JSONDecoder()


def read_json_list(path: str | os.PathLike[str]) -> Iterator[Any]:
    """Yields the items of a file that holds one JSON list.

    The standard library's decoder is used on a window of the file: it takes items at
    the speed of C and needs no further package, and what it has read is let go, so
    memory is bounded by 1 MiB and the longest item. NaN and infinities are read, too.

    Args:
        path: The file, in UTF-8; a byte order mark is skipped.

    Raises:
        FileNotFoundError: There is no such file.
        ValueError: It is no JSON in UTF-8, no list, ends too early, or goes on behind
            the list; the message names the file and the line. Items before that have
            been given.
    """
    with open(to_path(path), "rb") as file:
        yield from _Window(file, os.fspath(path)).items()


class _Window:
    """What was read of a file and is yet to be decoded."""

    def __init__(self, file: BinaryIO, name: str) -> None:
        self._file = file
        self._name = name
        self._decode = codecs.getincrementaldecoder("utf-8-sig")().decode
        self._text = ""
        self._at = 0
        self._ended = False
        self._number = 0
        self._lines_before = 0

    def items(self) -> Iterator[Any]:
        if self._next() != "[":
            self._refuse(f"be a JSON list{self._what_else()}")
        self._at += 1
        if self._next() == "]":
            self._at += 1
        else:
            yield from self._at_least_one()
        if self._next():
            self._refuse(f"end with its list. Received: {self._beginning()} behind it")

    def _at_least_one(self) -> Iterator[Any]:
        while True:
            self._next()
            yield self._item()
            self._number += 1
            mark = self._next()
            if mark not in (",", "]"):
                self._refuse(
                    f"have a comma or the list's end behind item {self._number - 1}"
                    f"{self._what_else()}"
                )
            self._at += 1
            if mark == "]":
                return

    def _item(self) -> Any:
        where = f"item {self._number}"
        while True:
            try:
                item, end = _DECODER.raw_decode(self._text, self._at)
            except RecursionError:
                self._refuse(f"be JSON. Received: {where}, nested too deeply")
            except JSONDecodeError as error:
                if not self._may_be_cut(error):
                    what = "the file's end" if self._is_all(error) else error.msg
                    self._refuse(f"be JSON. Received: {what} in {where}", error.pos)
            except ValueError as error:  # A number of thousands of digits.
                self._refuse(f"be JSON. Received: {error} in {where}")
            else:
                # Of 12.5 the rest, ".5" or "5", may not have been read.
                cut = isinstance(item, int | float) and self._is_near(end)
                if self._ended or not cut:
                    self._at = end
                    return item
            if len(self._text) - self._at > _LONGEST:
                self._refuse(f"hold items of at most {_LONGEST:,} characters: {where}")
            self._read_more()

    def _is_all(self, error: JSONDecodeError) -> bool:
        return self._ended and (
            error.pos >= len(self._text) or error.msg.startswith("Unterminated")
        )

    def _may_be_cut(self, error: JSONDecodeError) -> bool:
        return not self._ended and (
            self._is_near(error.pos) or error.msg.startswith("Unterminated")
        )

    def _is_near(self, position: int) -> bool:
        return position > len(self._text) - _NEAR

    def _next(self) -> str:
        """The next character that is no space; "" at the end of the file."""
        while True:
            match = _SPACE.match(self._text, self._at)
            assert match is not None  # It matches nothing, too.
            self._at = match.end()
            if self._at < len(self._text):
                return self._text[self._at]
            if self._ended:
                return ""
            self._read_more()

    def _read_more(self) -> None:
        rest = self._text[self._at :]
        self._lines_before += self._text.count("\n", 0, self._at)
        # As much again: an item of n characters is begun anew log n times.
        content = self._file.read(max(_CHUNK, len(rest)))
        self._ended = not content
        try:
            text = self._decode(content, final=self._ended)
        except UnicodeDecodeError as error:
            place = self._file.tell() - len(content) + error.start
            self._refuse(f"be UTF-8. Received: {error.reason} about byte {place:,}")
        self._text, self._at = rest + text, 0

    def _beginning(self) -> str:
        return short(self._text[self._at : self._at + 40])

    def _what_else(self) -> str:
        return f". Received: {self._beginning() if self._next() else 'its end'}"

    def _refuse(self, rule: str, position: int | None = None) -> NoReturn:
        behind = self._at if position is None else position
        # A string of JSON holds no line end, so these are the file's lines.
        line = self._lines_before + self._text.count("\n", 0, behind) + 1
        raise ValueError(f"{self._name}:{line}: must {rule}") from None
