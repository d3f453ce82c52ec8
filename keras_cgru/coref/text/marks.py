"""Marks that end sentences, open and close quotations, and stand for letters."""

from __future__ import annotations

import re

# "." "!" "?" and runs of them: "..." "?!" "!!!"
TERMINAL = re.compile(r"[.!?…]+")
ELLIPSIS = re.compile(r"\.{2,}|…")
ELLIPSES = "…‥"

# In which direction a mark points where nothing else is known: German closes with “.
OPENING_DOUBLE = "“„‟«❝〝"
CLOSING_DOUBLE = "”»❞〞"
EITHER_DOUBLE = '"″‶＂'
OPENING_SINGLE = "`‘‚‛‹❛"
CLOSING_SINGLE = "’›❜"
# Apostrophes, and what is written for one.
EITHER_SINGLE = "'ʼ′‵´ʹ＇"
APOSTROPHES = "'’‘ʼ′´`＇"

DOUBLE_QUOTES = OPENING_DOUBLE + CLOSING_DOUBLE + EITHER_DOUBLE
SINGLE_QUOTES = OPENING_SINGLE + CLOSING_SINGLE + EITHER_SINGLE

HYPHENS = "-‐‑‒–−－"
DASHES = "—―⸺⸻﹘"

# The marks of the Penn Treebank, which `straight_tokens` makes of all of these.
OPENING_QUOTES = frozenset("`` `".split())
CLOSING_QUOTES = frozenset(["''"])
EITHER_QUOTES = frozenset("\" '".split())
CLOSING_BRACKETS = frozenset(") ] -rrb- -RRB- -rsb- -RSB-".split())
