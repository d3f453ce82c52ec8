"""The recurrences, one file a cell and backend, and the one place that chooses."""

from keras_cgru.kernels.choose import find_kernel
from keras_cgru.kernels.links import last_positions, neighbours

__all__ = ["find_kernel", "last_positions", "neighbours"]
