"""Files as disks, editors and other programs leave them: sound ones, changed a little.

A mutation is a few edits. Drawn by hypothesis, a failure is shown with the smallest
change that still fails; drawn by number there are many more in the same time.
"""

from __future__ import annotations

import random
from typing import NamedTuple

from hypothesis import strategies as st

# What breaks readers: ends of lines, quotes and brackets, numbers of odd size, text in
# other encodings, bytes that are no text.
PIECES = (
    *(b"", b"\n", b"\r", b"\r\n", b"\t", b" ", b"\0", b"\0" * 64, b"\xff", b"a" * 300),
    *(b'"', b"'", b"{", b"}", b"[", b"]", b"[[", b"]]", b"(", b")", b"(1", b"1)"),
    *(b"(1)", b",", b":", b"|", b"-", b"_", b"\\", b"\\u0000", b"\\ud800", b"#"),
    *(b"#end document", b"0", b"-1", b"1", b"999999999999999999999", b"1e999", b"-0"),
    b"9" * 5000,
    *(b"1.5", b"NaN", b"null", b"true", b"[]", b"{}", b"inf", b"nan", b"\xef\xbb\xbf"),
    *("é".encode(), "“".encode(), "\u2028".encode(), b"\xff\xfe=\xd8\x00\xde"),
)
KINDS = ("cut", "drop", "insert", "flip", "repeat", "swap")


class Edit(NamedTuple):
    """One change: where (as a share of the file), how much, and what comes in."""

    kind: str
    place: float
    size: int
    piece: bytes


edits = st.lists(
    st.builds(
        Edit,
        st.sampled_from(KINDS),
        st.floats(0, 1),
        st.integers(1, 40),
        st.sampled_from(PIECES),
    ),
    min_size=1,
    max_size=4,
)


def random_edits(number: int) -> list[Edit]:
    """The same kinds of edits, in a tenth of hypothesis's time; the same each time."""
    rng = random.Random(number)
    return [
        Edit(rng.choice(KINDS), rng.random(), rng.randint(1, 40), rng.choice(PIECES))
        for _ in range(rng.randint(1, 4))
    ]


def mutate(content: bytes, changes: list[Edit]) -> bytes:
    """The content after these edits, one behind the other."""
    for edit in changes:
        content = _apply(content, edit)
    return content


def _apply(content: bytes, edit: Edit) -> bytes:
    start = round(edit.place * len(content))
    end = min(len(content), start + edit.size)
    head, middle, tail = content[:start], content[start:end], content[end:]
    if edit.kind == "cut":
        return head
    if edit.kind == "drop":
        return head + tail
    if edit.kind == "insert":
        return head + edit.piece + content[start:]
    if edit.kind == "flip":
        flipped = bytes(byte ^ (1 << edit.size % 8) for byte in middle[:1])
        return head + flipped + content[start + 1 :]
    if edit.kind == "repeat":
        return head + middle * edit.size + tail
    return head + edit.piece + tail
