"""Checks of the options that recipes have in common, each by its name."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from typing import Any

from keras_cgru.command_line import refuse

_COUNTS = (
    "batch_size epochs halve_every jobs layers limit max_tokens num_clusters patience "
    "seeds threads train_size units update_freq updates validation_size"
)
_POSITIVE = "clip_norm learning_rate word_stddev"
_SHARES = "dropped_mentions rename"

Rule = tuple[Callable[[Any], bool], str]
_RULES: dict[str, Rule] = {
    **dict.fromkeys(_COUNTS.split(), (lambda value: value >= 1, "at least 1")),
    **dict.fromkeys(
        _POSITIVE.split(), (lambda value: 0 < value < math.inf, "a positive number")
    ),
    **dict.fromkeys(_SHARES.split(), (lambda value: 0 <= value <= 1, "in [0, 1]")),
    "readings": (lambda value: 0 <= value <= 20, "in 0..20"),
    "average": (lambda value: 0 < value < 1, "in (0, 1)"),
    "dropout": (lambda value: 0 <= value < 1, "in [0, 1)"),
    **dict.fromkeys(
        ("seed", "sample_seed"), (lambda value: 0 <= value < 2**32, "in [0, 2**32)")
    ),
}
_EVEN: Rule = (lambda value: value % 2 == 0, "even")


def check_options(settings: Any) -> None:
    """Refuses the first option that cannot be, before anything is read.

    Args:
        settings: A dataclass; its options are known by their names, and so are those
            of dataclasses in it. Others are not looked at, and None is left out.

    Raises:
        ValueError: An option is out of its range; the message names it.
    """
    for field in dataclasses.fields(settings):
        value = getattr(settings, field.name)
        if dataclasses.is_dataclass(value):
            check_options(value)
            continue
        rules = [_RULES[field.name]] if field.name in _RULES else []
        if field.name == "units":
            rules.append(_EVEN)
        for each in value if isinstance(value, tuple) else (value,):
            for holds, wanted in rules:
                if each is not None and not holds(each):
                    refuse(field.name, wanted, each)
    if getattr(settings, "simulated", False) and settings.data_dir is not None:
        refuse("data_dir", "left out with --simulated", settings.data_dir)
