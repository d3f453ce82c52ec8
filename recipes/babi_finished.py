"""Which cells are there already, trained as is asked for."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from babi_cell import Cell


def is_finished(cell: Cell, root: Path) -> bool:
    """Whether a cell has its metrics, of the very settings that are asked for."""
    # Keras must not be imported before its backend is chosen.
    import keras

    from keras_cgru.data.babi.results.cell import options_that_differ
    from keras_cgru.files import read_json
    from keras_cgru.training import RunFolder

    folder = RunFolder(root / cell.name)
    if not folder.metrics.exists():
        return False
    stored = read_json(folder.config)
    training, data = (stored.get(part, {}) for part in ("training", "data"))
    differing = [
        (name, training.get(name), cell.training.get(name))
        for name in options_that_differ(training, cell.training)
    ]
    differing += [
        (name, data.get(name), now)
        for name, now in cell.data.items()
        # Where the same files were found does not matter.
        if name != "found_by" and not _same(data.get(name), now)
    ]
    backend = keras.backend.backend()
    # Not that of a file made by hand, without what it was trained on.
    if stored.get("backend", backend) != backend:
        differing.append(("backend", stored["backend"], backend))
    # Cells of earlier versions had as many as there were cores.
    if (threads := stored_threads(cell, root)) not in (None, cell.threads):
        differing.append(("threads", threads, cell.threads))
    for name, was, now in differing:
        raise ValueError(
            f"{folder.path}: finished with {name}={was!r}; choose another --run-dir. "
            f"Received: {now!r}"
        )
    return True


def stored_threads(cell: Cell, root: Path) -> int | None:
    """With how many threads a finished cell was computed; None where it is not said."""
    from keras_cgru.files import read_json
    from keras_cgru.training import RunFolder

    threads: int | None = read_json(RunFolder(root / cell.name).config).get("threads")
    return threads


def _same(was: Any, now: Any) -> bool:
    # Earlier versions kept the hashes of all tasks' files.
    if isinstance(was, dict) and isinstance(now, dict):
        return all(was.get(name) == value for name, value in now.items())
    return bool(was == now)
