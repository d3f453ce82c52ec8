"""What the recipes share around `model.fit`."""

from keras_cgru.training.environment import environment
from keras_cgru.training.keep_memory import keep_memory
from keras_cgru.training.predict_answers import best_candidate, predict_answers
from keras_cgru.training.run_folder import RunFolder

__all__ = [
    "RunFolder",
    "best_candidate",
    "environment",
    "keep_memory",
    "predict_answers",
]
