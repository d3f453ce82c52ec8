"""Names for files that tell them apart, however their paths were typed."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path


def distinct_stems(paths: Sequence[str | os.PathLike[str]]) -> list[str]:
    """The name of each file without its suffix, with folders only where it needs them.

    Of files with the same name the shortest ends of their absolute paths are taken that
    differ: "a/x" and "b/x"; of files that differ in their suffix alone, the whole name.

    Raises:
        ValueError: A name is not UTF-8, in which all names are written.
    """
    files = [Path(path).parent.resolve() / Path(path).name for path in paths]
    stems = [file.with_suffix("") for file in files]
    repeated = Counter(stems)
    whole = [
        (file if repeated[stem] > 1 else stem).parts
        for file, stem in zip(files, stems, strict=True)
    ]
    names = ["/".join(end) for end in _distinct_ends(whole)]
    for path, name in zip(paths, names, strict=True):
        try:
            name.encode("utf-8")
        except UnicodeEncodeError as error:
            raise ValueError(
                f"names of input files must be UTF-8. Received: {os.fsencode(path)!r}"
            ) from error
    return names


def distinct_names(paths: Sequence[str | os.PathLike[str]]) -> list[str]:
    """The same with the suffix."""
    return [
        stem if stem.endswith(Path(path).name) else stem + Path(path).suffix
        for path, stem in zip(paths, distinct_stems(paths), strict=True)
    ]


def _distinct_ends(whole: Sequence[tuple[str, ...]]) -> list[tuple[str, ...]]:
    ends = [parts[-1:] for parts in whole]
    equal = list(range(len(whole)))
    for length in range(1, max(map(len, whole), default=0) + 1):
        for index in equal:
            ends[index] = whole[index][-length:]
        count = Counter(ends[index] for index in equal)
        equal = [index for index in equal if count[ends[index]] > 1]
    return ends
