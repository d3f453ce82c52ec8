"""A process that does jobs: how its parent sees it, and what it does."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import traceback
from collections.abc import Callable, Mapping
from multiprocessing.connection import Connection
from typing import Any

from keras_cgru.processes.interrupts import interrupts_blocked_in_children
from keras_cgru.processes.message import Message

Work = Callable[[Any, Callable[[str], None]], Any]


class WorkerProcess:
    """A process, seen from its parent.

    Args:
        work: What it does with each job.
        cores: Those that it may use; None for all.
    """

    def __init__(self, work: Work, cores: set[int] | None) -> None:
        # Never a fork: the parent may hold threads of a Keras backend or of pyarrow.
        context = multiprocessing.get_context("spawn")
        # Pipes of its own: what it has sent is there even if it dies in the next
        # moment, and no lock is left behind that others would wait for.
        receives, self._jobs_pipe = context.Pipe(duplex=False)
        self._told, tells = context.Pipe(duplex=False)
        self._process = context.Process(
            target=_serve, args=(work, receives, tells, cores), daemon=True
        )
        self._all_told = False
        self._is_dismissed = False
        # Those that have not ended, by number, in order.
        self.jobs: dict[int, Any] = {}
        self.has_ended = False
        with interrupts_blocked_in_children():
            self._process.start()
        receives.close()
        tells.close()

    @property
    def waits_for(self) -> list[Any]:
        """What becomes ready when there is something new."""
        told = [] if self._all_told else [self._told]
        return [*told, self._process.sentinel]

    @property
    def is_idle(self) -> bool:
        """Whether it waits for jobs."""
        return not self.jobs and not self._is_dismissed

    @property
    def end(self) -> str:
        """How the process ended."""
        code = self._process.exitcode
        name = ""
        if code is not None and -code in set(signal.Signals):
            name = f" ({signal.Signals(-code).name})"
        return f"its process {self._process.pid} ended with exit code {code}{name}"

    def give(self, jobs: Mapping[int, Any]) -> None:
        """Hands jobs over; only to a process that has none."""
        self.jobs.update(jobs)
        try:
            self._jobs_pipe.send(dict(jobs))
        except BrokenPipeError:
            pass  # It has just ended, which will be noticed.

    def dismiss(self) -> None:
        """Lets the process end: there are no more jobs for it."""
        self._is_dismissed = True
        self._jobs_pipe.close()

    def messages(self) -> list[Message]:
        """Those that are there. After the last, `has_ended` says so."""
        # Asked first: then what it sent before its end is there, too.
        self.has_ended = self._process.exitcode is not None
        received = []
        while not self._all_told and self._told.poll():
            try:
                message = self._told.recv()
            except (EOFError, OSError):  # The end, perhaps within a message.
                self._all_told = True
                break
            if message.kind != "told":
                del self.jobs[message.job]
            received.append(message)
        return received

    def kill(self) -> None:
        """Ends the process at once."""
        self._process.kill()

    def close(self) -> None:
        """Waits for the end of a process that was killed or has ended."""
        self._process.join(5)
        self._jobs_pipe.close()
        self._told.close()


def _serve(
    work: Work, receives: Connection, tells: Connection, cores: set[int] | None
) -> None:
    threading.Thread(target=_end_with_parent, daemon=True).start()
    # Where it could not be blocked from the start; see `interrupts`.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if cores is not None:
        os.sched_setaffinity(0, cores)
    while True:
        try:
            jobs = receives.recv()
        except (EOFError, OSError):
            return
        for number, job in jobs.items():
            _do(work, number, job, tells)


def _do(work: Work, number: int, job: Any, tells: Connection) -> None:
    def tell(text: str) -> None:
        tells.send(Message(number, "told", text))

    try:
        tells.send(Message(number, "done", work(job, tell)))
    except Exception:  # Also a result that cannot be sent; nothing of it was, then.
        tells.send(Message(number, "failed", traceback.format_exc()))


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    # Killed: nobody would ever read what this process's job gives.
    os._exit(1)
