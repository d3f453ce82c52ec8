"""As many threads as a run is told, not as many as there are cores."""

from __future__ import annotations

import os
import sys
import warnings

VARIABLES = (
    # JAX: XLA's client for CPUs asks these for the size of its pool when it is made,
    # and splits a product among the threads of the pool. The second is the older name.
    "PJRT_NPROC",
    "NPROC",
    # TensorFlow, when its first operation runs.
    "TF_NUM_INTRAOP_THREADS",
    "TF_NUM_INTEROP_THREADS",
    # PyTorch.
    "OMP_NUM_THREADS",
    "MKL_NUM_THREADS",
)


def fix_threads(threads: int) -> int | None:
    """Has Keras's backend compute with so many threads on a CPU.

    A sum that threads share is rounded where it is cut. With a number of threads that
    follows the machine's cores, so does the last bit of every weight, and after some
    hundred updates the accuracy too.

    The processes that this one starts have as many. Call it before Keras is imported,
    and where the package's modules import it.

    Args:
        threads: The number, on any number of cores.

    Returns:
        The number; None, with a warning, where Keras was there already and its number
        is not known.
    """
    wanted = dict.fromkeys(VARIABLES, str(threads))
    set_before = all(os.environ.get(name) == value for name, value in wanted.items())
    if "keras" in sys.modules and not set_before:
        warnings.warn(
            f"`threads` cannot be fixed, to {threads}, since Keras has been imported "
            "before: this run may differ in its last digits from others.",
            stacklevel=2,
        )
        return None
    os.environ.update(wanted)
    return threads
