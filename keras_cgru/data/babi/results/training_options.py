"""In which options two trainings of bAbI cells differ."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

# Options of a training that earlier versions did not have, and what they did.
FIXED_BEFORE = {"word_stddev": 0.5, "share_memory": "always"}


def used_options(training: Mapping[str, Any]) -> dict[str, Any]:
    """The options of a training but for those that are None, False or 0.

    These count as not used, as does one that an earlier version did not have, unless
    it is in `FIXED_BEFORE`.
    """
    options = {**FIXED_BEFORE, **training}
    return {name: value for name, value in options.items() if value}


def options_that_differ(was: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """Names of the options in which two trainings differ; see `used_options`."""
    first, second = used_options(was), used_options(now)
    names = dict.fromkeys([*was, *now])
    return [name for name in names if first.get(name) != second.get(name)]
