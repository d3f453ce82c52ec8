"""Jobs in worker processes: what is done is told at once, a death is noticed."""

from __future__ import annotations

import multiprocessing
import os
import queue
import signal
import threading
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


@dataclass
class _Worker:
    """A process, the pipe that it gets its jobs from, and the one that it has."""

    process: Any
    jobs: Any
    job: int


def run_jobs(
    work: Callable[[Any, Callable[[str], None]], Any],
    jobs: Sequence[Any],
    num_workers: int,
) -> Iterator[Message]:
    """Runs `work(job, tell)` for each job and gives the messages as they come.

    A worker does one job after another, so that a later one finds what an earlier one
    has imported and compiled. Every job ends with one "done" or one "failed". A worker
    that dies, as one that the system kills for its memory does, fails the job it had;
    another takes its place. The cores are shared out among the workers where the
    system allows it, and the workers end when the caller's process does.

    Args:
        work: A function of a module, so that a new process finds it.
        jobs: What it is called with.
        num_workers: At most so many jobs at once.
    """
    context = multiprocessing.get_context("spawn")
    told: Any = context.Queue()
    waiting = list(range(len(jobs)))[::-1]
    workers: dict[int, _Worker] = {}  # by their place: each has a job
    idle: dict[int, _Worker] = {}
    free = list(range(min(num_workers, len(jobs))))[::-1]
    cores = _share_cores(len(free))
    try:
        while waiting or workers:
            while waiting and (idle or free):
                place, worker = idle.popitem() if idle else (free.pop(), None)
                if worker is None or not worker.process.is_alive():
                    worker = _start(context, work, told, cores[place])
                worker.job = waiting.pop()
                _send(worker, jobs[worker.job])
                workers[place] = worker
            # Asked for before the messages: a dead worker's last words are among them.
            dead = [p for p, each in workers.items() if not each.process.is_alive()]
            for message in _drain(told):
                if message.kind != "told":
                    place = next(p for p in workers if workers[p].job == message.job)
                    idle[place] = workers.pop(place)
                yield message
            for place in dead:
                if worker := workers.pop(place, None):
                    died = f"its process ended with exit code {worker.process.exitcode}"
                    yield Message(worker.job, "failed", died)
                    free.append(place)
    finally:
        for worker in (*workers.values(), *idle.values()):
            worker.process.terminate()


def _start(context: Any, work: Any, told: Any, cores: set[int] | None) -> _Worker:
    theirs, ours = context.Pipe(duplex=False)
    process = context.Process(
        target=_worker, args=(work, theirs, told, cores), daemon=True
    )
    process.start()
    theirs.close()
    return _Worker(process, ours, -1)


def _send(worker: _Worker, job: Any) -> None:
    try:
        worker.jobs.send((worker.job, job))
    except OSError:
        # It has just died, which the next look at it will tell.
        return


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
    jobs: Any,
    told: Any,
    cores: set[int] | None,
) -> None:
    threading.Thread(target=_end_with_parent, daemon=True).start()
    # Ctrl-C reaches the whole group; it is the parent that answers it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if cores is not None:
        os.sched_setaffinity(0, cores)
    while True:
        try:
            number, job = jobs.recv()
        except EOFError:
            return

        def tell(text: str, number: int = number) -> None:
            told.put(Message(number, "told", text))

        try:
            message = Message(number, "done", work(job, tell))
        except Exception:
            message = Message(number, "failed", traceback.format_exc())
        told.put(message)


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    # Killed: nobody would ever read what this process's job gives.
    os._exit(1)


def _share_cores(num_workers: int) -> list[set[int] | None]:
    """Disjoint sets of cores: two compilers on the same core slow each other down."""
    if not hasattr(os, "sched_getaffinity"):
        return [None] * num_workers
    cores = sorted(os.sched_getaffinity(0))
    if num_workers < 2 or num_workers > len(cores):
        return [None] * num_workers
    return [set(cores[place::num_workers]) for place in range(num_workers)]
