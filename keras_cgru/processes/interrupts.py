"""Ctrl-C at a moment when it would leave something half done."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker
from types import FrameType


@contextmanager
def interrupts_wait() -> Iterator[None]:
    """Ctrl-C takes effect when the block is left, not within.

    For what takes milliseconds: to start a process, to end some.
    """
    if threading.current_thread() is not threading.main_thread():
        yield  # Python runs the answer to Ctrl-C in the main thread alone.
        return
    came: list[tuple[int, FrameType | None]] = []
    before = signal.signal(signal.SIGINT, lambda *arguments: came.append(arguments))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if came and callable(before):
        before(*came[0])


@contextmanager
def interrupts_blocked_in_children() -> Iterator[None]:
    """Processes that start here never get a Ctrl-C, not even before their first line.

    A terminal sends it to all processes; it is the parent that answers it. Python's own
    answer would be a traceback of each.
    """
    if not hasattr(signal, "pthread_sigmask"):  # Windows.
        yield
        return
    # It starts with the first process, and unblocks the signal as it does.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
