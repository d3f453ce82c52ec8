"""Marks that end sentences, open and close quotations."""

from __future__ import annotations

import re

# "." "!" "?" and runs of them: "..." "?!" "!!!"
TERMINAL = re.compile(r"[.!?…]+")
ELLIPSIS = re.compile(r"\.{2,}|…")

OPENING_QUOTES = frozenset("`` ` “ ‘ «".split())
CLOSING_QUOTES = frozenset("'' ” ’ ’” »".split())
CLOSING_BRACKETS = frozenset(") ] -rrb- -RRB- -rsb- -RSB-".split())
