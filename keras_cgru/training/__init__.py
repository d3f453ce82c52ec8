"""What the recipes share around `model.fit`."""

from keras_cgru.training.answer_accuracy import whole_answer_accuracy
from keras_cgru.training.answer_cross_entropy import whole_answer_cross_entropy
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
    "whole_answer_accuracy",
    "whole_answer_cross_entropy",
]
