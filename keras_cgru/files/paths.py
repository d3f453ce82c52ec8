"""Names of files and folders as people give them."""

from __future__ import annotations

import os
import re
from pathlib import Path

# A scheme of one letter is a drive of Windows. `Path` makes "gs://x" of it "gs:/x".
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.:-]+:/")
# What systems put into a folder by themselves, and our lock.
_NOT_CONTENT = re.compile(
    r"lost\+found|\.DS_Store|\._.*|Thumbs\.db|desktop\.ini|\.nfs.*|\.lock(?:\.held)?"
    r"|\.directory|\.Trash-.*|@eaDir|\$RECYCLE\.BIN|System Volume Information",
    re.IGNORECASE,
)


def to_path(value: str | os.PathLike[str], name: str = "path") -> Path:
    """The local path that is meant, with `~` and `~user` expanded.

    Args:
        value: What the user gave.
        name: The argument that it was given for, which errors name.

    Raises:
        TypeError: It is no path.
        ValueError: It is empty, an address such as "gs://bucket/x", which would become
            a folder "gs:", or names the home of a user who is not known.
    """
    if not isinstance(value, str | os.PathLike):
        raise TypeError(f"`{name}` must be a path. Received: {value!r}")
    text = os.fspath(value)
    if not text or "\0" in text:
        raise ValueError(f"`{name}` must be a path. Received: {text!r}")
    if _ADDRESS.match(text):
        raise ValueError(
            f"`{name}` must be a path of this machine; mount or copy what lies "
            f"elsewhere. Received: {text}"
        )
    path = os.path.expanduser(text)
    if path.startswith("~") and not os.path.lexists(path):
        raise ValueError(
            f"`{name}` must name a home folder that there is, or begin with ./ . "
            f"Received: {text}"
        )
    return Path(path)


def is_empty_folder(path: str | os.PathLike[str]) -> bool:
    """Whether a folder holds nothing but what systems, or our lock, put into it."""
    return all(_NOT_CONTENT.fullmatch(name) for name in os.listdir(path))


def descriptor_of(path: Path) -> int | None:
    """The open file that a name such as /dev/stdout or /dev/fd/63 stands for."""
    named = {"/dev/stdin": 0, "/dev/stdout": 1, "/dev/stderr": 2}
    if (number := named.get(str(path))) is not None:
        return number
    found = re.fullmatch(r"/(?:dev|proc/self)/fd/(\d+)", str(path))
    return int(found[1]) if found else None
