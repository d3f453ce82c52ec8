"""Tells the two versions of the LAMBADA text apart.

The official archive is tokenised: "`` do n't , '' said ann". The other version in
circulation is raw: "don't," said Ann. Scores on the two differ by more than ten
points, and a stop list made for one does not fit the other.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence

# A comma, mark or closing quote behind a word, an opening quote before one, and a
# contraction that is not split. A full stop proves nothing: "mr." is one token.
_GLUED = re.compile(
    r"""\w[,;:!?]+["'”’)]*$ | \w\.["”’)]+$ | ^["“‘]+\w | \wn['’]t$
    | \w['’](?:re|ve|ll|m)$""",
    re.VERBOSE,
)
_SEPARATE = frozenset(
    ". , ? ! ; `` '' n't 's 'm 'd 're 'll 've n’t ’s ’m ’d ’re ’ll ’ve".split()
)
# A stray token of the official files looks raw; more than this share is a mix.
_TOLERATED = 0.02


def check_tokenised(
    path: str | os.PathLike[str], lines: Sequence[tuple[int, str]]
) -> None:
    """Refuses a file that is not the tokenised version throughout.

    Args:
        path: The file, for the message.
        lines: Line numbers and passages, at least one.

    Raises:
        ValueError: Half of the passages or more are raw, or a mix of both versions.
    """
    raw = [number for number, line in lines if _is_raw(line)]
    if len(raw) <= _TOLERATED * len(lines):
        return
    kind = "raw" if 2 * len(raw) >= len(lines) else "a mix of tokenised and raw"
    raise ValueError(
        f"{os.fspath(path)}:{raw[0]}: the text must be the tokenised version of the "
        "official archive, with punctuation, quotes `` '' and n't as tokens of their "
        f"own. Received: {kind} text, {len(raw)} of {len(lines)} passages are raw"
    )


def _is_raw(line: str) -> bool:
    tokens = line.split()
    glued = sum(_GLUED.search(token) is not None for token in tokens)
    return glued > sum(token in _SEPARATE for token in tokens)
