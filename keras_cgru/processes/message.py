"""What a job tells while it runs, and when it ends."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Message:
    """What a job tells.

    Args:
        job: The number of the job, counted over all groups from 0.
        kind: "told", "done" or "failed".
        value: A line of text, the job's result, or what went wrong.
    """

    job: int
    kind: str
    value: Any
