"""Jobs in worker processes: what is done is told at once, a death is noticed."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from typing import Any


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
    """A process, what it tells, and those of its jobs that have not ended, in order."""

    process: Any
    told: Connection
    jobs: list[int]


def run_jobs(
    work: Callable[[Any, Callable[[str], None]], Any],
    groups: Sequence[Sequence[Any]],
    num_workers: int,
) -> Iterator[Message]:
    """Runs `work(job, tell)` for each job and gives the messages as they come.

    A group has a process to itself, so that its later jobs find what the first has
    imported and compiled, and all of that goes with it. Every job ends with one "done"
    or one "failed". A process that dies, as one that the system kills for its memory
    does, fails the job it had; another does the rest of its group. The cores are
    shared out among the processes where the system allows it, and these end when the
    caller's process does.

    Args:
        work: A function of a module, so that a new process finds it.
        groups: What it is called with. A message counts the jobs of all groups.
        num_workers: At most so many groups at once.
    """
    jobs = [job for group in groups for job in group]
    numbers = iter(range(len(jobs)))
    waiting = [[next(numbers) for _ in group] for group in groups if group][::-1]
    free = list(range(min(num_workers, len(waiting))))[::-1]
    cores = _share_cores(len(free))
    workers: dict[int, _Worker] = {}  # by their place
    try:
        while waiting or workers:
            while waiting and free:
                place, own = free.pop(), waiting.pop()
                chosen = {number: jobs[number] for number in own}
                workers[place] = _start(work, chosen, cores[place])
            wait([w.told for w in workers.values()])
            for place, worker in list(workers.items()):
                yield from _messages(worker)
                if not worker.told.closed:
                    continue
                worker.process.join()
                if worker.jobs:
                    died = f"its process ended with exit code {worker.process.exitcode}"
                    yield Message(worker.jobs.pop(0), "failed", died)
                if worker.jobs:
                    waiting.append(worker.jobs)
                del workers[place]
                free.append(place)
    finally:
        for worker in workers.values():
            worker.process.terminate()


def _start(work: Any, jobs: Mapping[int, Any], cores: set[int] | None) -> _Worker:
    context = multiprocessing.get_context("spawn")
    # Its own pipe: what it has sent is there even if it dies in the next moment, and
    # no lock is left behind that others would wait for.
    told, tells = context.Pipe(duplex=False)
    process = context.Process(
        target=_worker, args=(work, jobs, tells, cores), daemon=True
    )
    process.start()
    tells.close()
    return _Worker(process, told, list(jobs))


def _messages(worker: _Worker) -> Iterator[Message]:
    """Those that are there; closes a pipe whose process has ended."""
    while worker.told.poll():
        try:
            message = worker.told.recv()
        except (EOFError, OSError):  # The end, perhaps within a message.
            worker.told.close()
            return
        if message.kind != "told":
            worker.jobs.remove(message.job)
        yield message


def _worker(
    work: Callable[[Any, Callable[[str], None]], Any],
    jobs: Mapping[int, Any],
    tells: Connection,
    cores: set[int] | None,
) -> None:
    threading.Thread(target=_end_with_parent, daemon=True).start()
    # Ctrl-C reaches the whole group; it is the parent that answers it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if cores is not None:
        os.sched_setaffinity(0, cores)
    for number, job in jobs.items():

        def tell(text: str, number: int = number) -> None:
            tells.send(Message(number, "told", text))

        try:
            message = Message(number, "done", work(job, tell))
        except Exception:
            message = Message(number, "failed", traceback.format_exc())
        tells.send(message)


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
