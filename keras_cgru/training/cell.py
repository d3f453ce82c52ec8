"""One cell of a grid: one model, trained on one task with one seed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Protocol


class Cell(Protocol):
    """What `run_cells` asks of a cell; it must survive being pickled."""

    @property
    def name(self) -> str:
        """A path below the folder of all cells, such as "gru/task-01/seed-1".

        Cells that differ in its last part alone run the same programs.
        """

    def config(self) -> dict[str, Any]:
        """What it is trained on and how, for its `config.json`."""

    def differences(self, stored: Mapping[str, Any]) -> Iterable[tuple[str, Any, Any]]:
        """Where a finished cell of this name was trained otherwise than is asked for.

        Args:
            stored: The finished cell's `config.json`.

        Returns:
            For each difference its name, what was and what is asked for.
        """
