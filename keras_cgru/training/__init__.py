"""What the recipes share around `model.fit`."""

from keras_cgru.training.environment import environment
from keras_cgru.training.run_folder import RunFolder
from keras_cgru.training.stop_on_interrupt import StopOnInterrupt

__all__ = ["RunFolder", "StopOnInterrupt", "environment"]
