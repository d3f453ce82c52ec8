"""Whether batches can be shared out among the devices of a distribution."""

from __future__ import annotations

from collections.abc import Iterable

import keras


def check_batch_sizes(sizes: Iterable[int]) -> None:
    """Refuses batches that the active `keras.distribution` cannot share out.

    On JAX such a batch ends a training where it is met, which may be an hour later.

    Raises:
        ValueError: The devices do not divide a size.
    """
    parts = num_batch_parts()
    for size in sizes:
        if size % parts:
            raise ValueError(
                f"Every batch must be a multiple of {parts}, the devices of "
                "`keras.distribution` that share it: choose such a `batch_size` and "
                f"`full_batches=True`. Received: a batch of {size}"
            )


def num_batch_parts() -> int:
    """Into how many parts the active `keras.distribution` cuts a batch; 1 for none."""
    distribution = keras.distribution.distribution()
    if distribution is None:
        return 1
    mesh = distribution.device_mesh
    return int(mesh.shape[mesh.axis_names.index(distribution.batch_dim_name)])
