"""The recurrences, one file a cell and backend, and the one place that chooses."""

import keras  # noqa: F401 (see keras_cgru/__init__.py)

from keras_cgru.kernels.choose import find_kernel
from keras_cgru.kernels.links import last_positions, neighbours

__all__ = ["find_kernel", "last_positions", "neighbours"]
