"""Cells in processes of their own: what is done is told at once, a death is noticed."""

from __future__ import annotations

import multiprocessing
import os
import queue
import signal
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

# How often a waiting process looks whether the other side is still there.
SECONDS = 1.0


@dataclass(frozen=True)
class Message:
    """What a worker tells.

    Args:
        job: Position of the job in the list.
        kind: "told", "done" or "failed".
        value: A line of text, the job's result, or what went wrong.
    """

    job: int
    kind: str
    value: Any


def run_jobs(
    work: Callable[[Any, Callable[[str], None]], Any],
    jobs: Sequence[Any],
    num_workers: int,
) -> Iterator[Message]:
    """Runs `work(job, tell)` for each job and gives the messages as they come.

    Every job ends with one "done" or one "failed". A worker that dies, as one that
    the system kills for its memory does, fails the job it had; another takes its
    place. The cores are shared out among the workers where the system allows it, and
    the workers end when the caller's process does.

    Args:
        work: A function of a module, so that a new process finds it.
        jobs: What it is called with.
        num_workers: At most so many jobs at once.
    """
    context = multiprocessing.get_context("spawn")
    told: Any = context.Queue()
    waiting = list(range(len(jobs)))[::-1]
    running: dict[int, tuple[int, Any]] = {}  # a worker's place: its job and process
    free = list(range(min(num_workers, len(jobs))))[::-1]
    cores = _share_cores(len(free))
    ended: set[int] = set()
    try:
        while waiting or running:
            while waiting and free:
                place, job = free.pop(), waiting.pop()
                process = context.Process(
                    target=_worker,
                    args=(work, job, jobs[job], told, cores[place], os.getpid()),
                    daemon=True,
                )
                process.start()
                running[place] = job, process
            for message in _drain(told):
                ended |= {message.job} if message.kind != "told" else set()
                yield message
            for place, (job, process) in list(running.items()):
                if process.is_alive():
                    continue
                # Its last words may still be on their way.
                for message in _drain(told):
                    ended |= {message.job} if message.kind != "told" else set()
                    yield message
                if job not in ended:
                    died = f"its process ended with exit code {process.exitcode}"
                    yield Message(job, "failed", died)
                del running[place]
                free.append(place)
    finally:
        for _, process in running.values():
            process.terminate()


def _drain(told: Any) -> Iterator[Message]:
    """The messages that are there, or that come within a second."""
    wait = SECONDS
    while True:
        try:
            yield told.get(timeout=wait)
        except queue.Empty:
            return
        wait = 0.05


def _worker(
    work: Callable[[Any, Callable[[str], None]], Any],
    number: int,
    job: Any,
    told: Any,
    cores: set[int] | None,
    parent: int,
) -> None:
    # Ctrl-C reaches the whole group; it is the parent that answers it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if cores is not None:
        os.sched_setaffinity(0, cores)

    def tell(text: str) -> None:
        if os.getppid() != parent:
            # Killed: nobody would ever read what this job gives.
            os._exit(1)
        told.put(Message(number, "told", text))

    try:
        message = Message(number, "done", work(job, tell))
    except Exception:
        message = Message(number, "failed", traceback.format_exc())
    told.put(message)
    told.close()
    told.join_thread()


def _share_cores(num_workers: int) -> list[set[int] | None]:
    """Disjoint sets of cores: two compilers on the same core slow each other down."""
    if not hasattr(os, "sched_getaffinity"):
        return [None] * num_workers
    cores = sorted(os.sched_getaffinity(0))
    if num_workers < 2 or num_workers > len(cores):
        return [None] * num_workers
    return [set(cores[place::num_workers]) for place in range(num_workers)]
