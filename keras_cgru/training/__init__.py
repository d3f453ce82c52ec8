"""What the recipes share around `model.fit`."""

from keras_cgru.training.environment import environment
from keras_cgru.training.run_folder import RunFolder

__all__ = ["RunFolder", "environment"]
