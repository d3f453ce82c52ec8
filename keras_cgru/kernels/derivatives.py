"""The derivatives that a kernel, whose gradient is written by hand, does not have."""

from __future__ import annotations


def no_derivative(kind: str) -> NotImplementedError:
    """The error that says what to do instead.

    Args:
        kind: What was asked for, as in "second derivatives".
    """
    return NotImplementedError(
        f"The kernel of this layer has no {kind}; make the layer with "
        "`use_kernel=False`, which has them"
    )
