"""What a reader asks of a coreference resolver."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable


@runtime_checkable
class Resolver(Protocol):
    """Anything that gives each token of a text its coreference cluster."""

    def resolve(self, tokens: Sequence[str]) -> Sequence[int]:
        """Returns one id a token: 1.. for the clusters, 0 for none."""
        ...
