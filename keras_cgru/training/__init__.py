"""What the recipes share: threads, run folders, fitting, testing, grids of cells.

`fix_threads` must be called before Keras is imported. So what needs Keras is imported
when its name is first used; no module is called as what it holds, or the module would
be found in its place.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from keras_cgru.training.cell import Cell
from keras_cgru.training.cells import run_cells, unfinished_cells
from keras_cgru.training.check_options import check_options
from keras_cgru.training.keep_memory import keep_memory
from keras_cgru.training.report_run import report_run
from keras_cgru.training.run_folder import RunFolder
from keras_cgru.training.start import start
from keras_cgru.training.threads import fix_threads

if TYPE_CHECKING:
    from keras_cgru.training.answers import best_candidate, predict_answers
    from keras_cgru.training.board import (
        show_config,
        show_embeddings,
        show_results,
    )
    from keras_cgru.training.epoch_choice import few_epochs
    from keras_cgru.training.evaluating import evaluate_reader
    from keras_cgru.training.fitting import Fitted, fit_epochs, fit_updates
    from keras_cgru.training.last_model import LastModel
    from keras_cgru.training.machine import config, environment
    from keras_cgru.training.reading_part import ReadingPart, handful
    from keras_cgru.training.serving import reader_datasets

_WITH_KERAS = {
    "Fitted": "fitting",
    "LastModel": "last_model",
    "ReadingPart": "reading_part",
    "best_candidate": "answers",
    "config": "machine",
    "environment": "machine",
    "evaluate_reader": "evaluating",
    "few_epochs": "epoch_choice",
    "fit_epochs": "fitting",
    "fit_updates": "fitting",
    "handful": "reading_part",
    "predict_answers": "answers",
    "reader_datasets": "serving",
    "show_config": "board",
    "show_embeddings": "board",
    "show_results": "board",
}

__all__ = [
    "Cell",
    "Fitted",
    "LastModel",
    "ReadingPart",
    "RunFolder",
    "best_candidate",
    "check_options",
    "config",
    "environment",
    "evaluate_reader",
    "few_epochs",
    "fit_epochs",
    "fit_updates",
    "fix_threads",
    "handful",
    "keep_memory",
    "predict_answers",
    "reader_datasets",
    "report_run",
    "run_cells",
    "show_config",
    "show_embeddings",
    "show_results",
    "start",
    "unfinished_cells",
]


def __getattr__(name: str) -> Any:
    if name not in _WITH_KERAS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = importlib.import_module(f"{__name__}.{_WITH_KERAS[name]}")
    return getattr(module, name)
