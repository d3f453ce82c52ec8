"""Readings that the tests of several files show."""

from __future__ import annotations

import pytest

from keras_cgru.inspection import Answer, Passage, Reading

# Controls, an ANSI escape, a lone half of a character, a change of direction, wide
# and combining characters, markup, a formula, blanks, nothing.
HOSTILE_TOKENS = (
    "\x1b[31mred",
    "中文字",
    "\u0301x",
    "<script>document.title='owned'</script>",
    "a[b]",
    "\u202eevil",
    "",
    "a b",
    "x" * 120,
    "$x_$",
    "\ud800",
    "\"quoted' & &amp;",
    "\x00\r\n\x9b2J",
)


@pytest.fixture(scope="session")
def story() -> Reading:
    """Mary took the lamp and passed it on; the reader names the wrong person."""
    tokens = "mary took the lamp . she gave it to anna . anna kept it .".split()
    alpha = {
        (1, "forward"): [1, 1, 1, 0.6, 1, 0.25, 1, 0.5, 1, 1, 1, 0.75, 1, 0, 1],
        (1, "backward"): [0.1, 1, 0.8, 0.3, 1, 1, 1, 0.9, 1, 0.4, 1, 1, 1, 1, 1],
    }
    attention = [0.5, *[0] * 8, 0.25, 0, 0.15, 0, 0, 0.001]
    document = Passage(
        tokens, [1, 0, 2, 2, 0, 1, 0, 2, 0, 3, 0, 3, 0, 2, 0], alpha, attention
    )
    return Reading(
        "story-7",
        document,
        Passage("the lamp is in the hands of".split(), [2, 2, 0, 0, 0, 0, 0]),
        (
            Answer(["anna"], 0.4, [9, 11]),
            Answer(["mary"], 0.5, [0]),
            Answer(["lamp"], 0.0, [3]),
        ),
        gold=("anna",),
        labels={"data": "simulated", "model": "coref_gru"},
    )


@pytest.fixture(scope="session")
def hostile() -> Reading:
    """Tokens that would harm a terminal, a page or a picture that took them as is."""
    clusters = [1, 1, 2, (1, 2), 0, 0, 3, 3, 2, 1, 1, 0, 0]
    alpha = {("document_1", "forward"): [None, 0.5, *[1.0] * 11]}
    attention = [0.2] * 3 + [0.0] * 10
    return Reading(
        "id\n\x1b[2J",
        Passage(HOSTILE_TOKENS, clusters, alpha, attention),
        Passage(HOSTILE_TOKENS),
        (Answer(["<script>", "\x07"], 0.6, [0]), Answer(["\ud800", "中"], 0.1)),
        gold=("</style>", "\x1b]0;x"),
        title="<b>title\x1b[0m",
        labels={"<i>": "\x1b[31m"},
    )
