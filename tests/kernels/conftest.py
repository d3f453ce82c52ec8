"""What the tests of the kernels share."""

from collections.abc import Iterator

import keras
import pytest


@pytest.fixture
def double_precision() -> Iterator[None]:
    """JAX computes in single precision unless told."""
    if keras.backend.backend() != "jax":
        yield
        return
    import jax

    with jax.enable_x64(True):
        yield
