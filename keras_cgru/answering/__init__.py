"""Asking a trained reader about texts of one's own.

What needs Keras is imported when its name is first used: questions are read before.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from keras_cgru.answering.answer_file import AnswerFile
from keras_cgru.answering.asked import Asked
from keras_cgru.answering.questions import read_questions

if TYPE_CHECKING:
    from keras_cgru.answering.loading import load_reader
    from keras_cgru.answering.trained_reader import TrainedReader

# No module is called as what it holds, or it would be found in its place.
_WITH_KERAS = {"TrainedReader": "trained_reader", "load_reader": "loading"}

__all__ = ["AnswerFile", "Asked", "TrainedReader", "load_reader", "read_questions"]


def __getattr__(name: str) -> Any:
    if name not in _WITH_KERAS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = importlib.import_module(f"{__name__}.{_WITH_KERAS[name]}")
    return getattr(module, name)
