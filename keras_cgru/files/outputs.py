"""Where results go: checked before the work, so that it is not lost."""

from __future__ import annotations

import os
import stat
import uuid
from pathlib import Path

from keras_cgru.files.paths import descriptor_of, to_path


def check_output(value: str | os.PathLike[str], name: str = "output") -> Path:
    """Makes sure that a file can be written, and makes the folders above it.

    Args:
        value: What the user gave.
        name: The argument that it was given for, which errors name.

    Returns:
        The path for `atomic_write`; a link is followed to the file that it names.

    Raises:
        IsADirectoryError: It is a folder.
        NotADirectoryError: What should be a folder above it is a file.
        PermissionError: It may not be written.
        ValueError: It is an address, "-", or a link that leads round in a circle.
    """
    if value == "-":
        raise ValueError(
            f"`{name}` must be a file; /dev/stdout is one, too. Received: -"
        )
    path = to_path(value, name)
    if os.fspath(value).endswith(("/", os.sep)):
        raise IsADirectoryError(f"`{name}` must be a file. Received: {value}, a folder")
    number = descriptor_of(path)
    if number is not None:
        if not _is_open(number):
            raise ValueError(f"`{name}` must be open. Received: {value}")
        return path
    target = follow_links(path, name)
    mode = _mode(target)
    if mode is not None and stat.S_ISDIR(mode):
        raise IsADirectoryError(f"`{name}` must be a file. Received: {value}, a folder")
    if mode is None or stat.S_ISREG(mode):
        _make_folder(target.parent, name, value)
    if not _can_write(target, mode):
        raise PermissionError(
            f"`{name}` must be a file that you may write. Received: {value}, which "
            "may not be written"
        )
    return target


def check_output_folder(value: str | os.PathLike[str], name: str = "output") -> Path:
    """Makes sure that files can be written into a folder; makes nothing.

    Args:
        value: What the user gave; a folder, or where one can be made.
        name: The argument that it was given for, which errors name.

    Raises:
        NotADirectoryError: It, or what should be a folder above it, is a file.
        PermissionError: Nothing may be written there.
        ValueError: It is an address, or a link that leads round in a circle.
    """
    path = follow_links(to_path(value, name), name)
    there = path.absolute()
    while _mode(there) is None and there != there.parent:
        there = there.parent
    if not there.is_dir():
        what = "a file" if there == path.absolute() else f"but {there} is a file"
        raise NotADirectoryError(
            f"`{name}` must be a folder. Received: {value}, {what}"
        )
    if not _can_make_files(there):
        raise PermissionError(
            f"`{name}` must be a folder that you may write to. Received: {value}, but "
            f"nothing may be written to {there}"
        )
    return path


def follow_links(path: Path, name: str = "path") -> Path:
    """The file that a link names at last, which may not exist yet."""
    target = path
    for _ in range(40):  # As many as Linux follows.
        # /dev/stdout is a link, too, to what must not be replaced.
        if descriptor_of(target) is not None or not target.is_symlink():
            return target
        target = Path(os.path.realpath(target.parent), os.readlink(target))
    raise ValueError(f"`{name}` must not be a link to itself. Received: {path}")


def _is_open(number: int) -> bool:
    try:
        os.fstat(number)
    except OSError:
        return False
    return True


def _mode(path: Path) -> int | None:
    """None where there is no such file; an impossible name is an error."""
    try:
        return path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return None


def _make_folder(folder: Path, name: str, value: object) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError) as error:
        raise NotADirectoryError(
            f"`{name}` must lie in a folder. Received: {value}, but a part of "
            f"{folder} is a file"
        ) from error
    except PermissionError as error:
        raise PermissionError(
            f"`{name}` must lie where you may write. Received: {value}, but {folder} "
            "may not be made"
        ) from error


def _can_write(target: Path, mode: int | None) -> bool:
    if mode is None:
        return _can_make_files(target.parent)
    # A file that is read-only is meant to stay as it is, though its folder would let
    # it be replaced.
    return os.access(target, os.W_OK)


def _can_make_files(folder: Path) -> bool:
    """Tried, since permissions do not say that a file system is read-only or full."""
    probe = folder / f".{uuid.uuid4().hex}.tmp"
    try:
        probe.touch()
        probe.unlink()
    except OSError:
        return False
    return True
