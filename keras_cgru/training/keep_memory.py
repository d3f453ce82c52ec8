"""Memory that a step has freed is there for the next one."""

from __future__ import annotations

import ctypes
import sys

# Names and numbers of glibc's malloc.h.
_M_TRIM_THRESHOLD = -1
_M_MMAP_MAX = -4
_LARGEST = 2**31 - 1


def keep_memory() -> bool:
    """Has this process keep the memory that it frees, where its C library is glibc.

    A compiled step allocates its buffers anew each time. glibc by default takes large
    ones from the system and gives them back, and the system clears each of their pages
    at its first touch; on a CPU that can be a third of a step
    (docs/results/speed.md). The process then keeps what it needed at its highest until
    it ends, but that is hardly more where much the same is needed all the time:
    `recipes/lambada.py` on simulated stories (JAX) holds 1,560 MiB at its highest and
    1,486 while it trains, and without this function 1,558 and 1,484. One large job in
    a process that lives on for small ones would cost all of what it took. The same
    from outside, without this function:
    `MALLOC_MMAP_MAX_=0 MALLOC_TRIM_THRESHOLD_=2147483647` in the environment. See
    mallopt(3).

    Returns:
        Whether it does; False with another C library, where nothing has changed.
    """
    if not sys.platform.startswith("linux"):
        return False
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError):
        return False
    options = ((_M_MMAP_MAX, 0), (_M_TRIM_THRESHOLD, _LARGEST))
    return all([mallopt(name, value) == 1 for name, value in options])
