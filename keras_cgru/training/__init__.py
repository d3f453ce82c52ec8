"""What the recipes share around `model.fit`."""

from keras_cgru.training.answer_accuracy import whole_answer_accuracy
from keras_cgru.training.environment import environment
from keras_cgru.training.run_folder import RunFolder

__all__ = ["RunFolder", "environment", "whole_answer_accuracy"]
