"""Jobs in worker processes: what is done is told at once, a death is noticed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from multiprocessing.connection import wait
from typing import Any

from keras_cgru.processes.cores import share_cores
from keras_cgru.processes.interrupts import interrupts_wait
from keras_cgru.processes.message import Message
from keras_cgru.processes.worker_process import Work, WorkerProcess

# Seconds after which deaths are looked for: a process that a worker has forked, as
# loaders of data do, keeps the pipes open that would tell of it.
_LOOK = 1.0


def run_jobs(
    work: Work,
    groups: Iterable[Sequence[Any]],
    num_workers: int,
    reuse: bool = False,
) -> Iterator[Message]:
    """Runs `work(job, tell)` for each job and gives the messages as they come.

    The jobs of a group are done one after the other by one process, so that the later
    find what the first has imported and compiled. Every job ends with one "done" or one
    "failed". A process that dies, as one that the system kills for its memory does,
    fails the job it had; another does the rest of its group. The cores are shared out
    among the processes where the system allows it.

    No process outlives the caller's, and all are ended when the iterator is closed or
    raises, `KeyboardInterrupt` included; they themselves do not answer Ctrl-C.

    Args:
        work: A function of a module, or an object that can be pickled, so that a new
            process finds it. A process gets it once: what an object keeps in its
            attributes is there at the next job.
        groups: What it is called with. Taken as processes become free, `num_workers`
            at first, so they may be made while the work goes on. What they raise is
            raised when the jobs taken before have ended.
        num_workers: At most so many groups at once.
        reuse: Whether a process takes further groups. Else all that a group has
            compiled and holds in memory goes with it.

    Yields:
        The messages; `job` counts the jobs of all groups.
    """
    todo = _Groups(groups, num_workers)
    cores = share_cores(todo.num_first)
    free = list(range(todo.num_first))[::-1]
    workers: dict[int, WorkerProcess] = {}  # By their place.
    try:
        while True:
            while free and (jobs := todo.take()):
                place = free.pop()
                with interrupts_wait():
                    workers[place] = WorkerProcess(work, cores[place])
                workers[place].give(jobs)
            if not workers:
                break
            wait([each for w in workers.values() for each in w.waits_for], _LOOK)
            messages: list[Message] = []
            for place, worker in list(workers.items()):
                messages += worker.messages()
                if worker.has_ended:
                    messages += _failed_by_death(worker, todo)
                    worker.close()
                    del workers[place]
                    free.append(place)
                elif worker.is_idle:
                    # Before its results are seen to: it shall not wait for that.
                    if reuse and (jobs := todo.take()):
                        worker.give(jobs)
                    else:
                        worker.dismiss()
            yield from messages
    finally:
        _stop(list(workers.values()))
    todo.raise_error()


def _failed_by_death(worker: WorkerProcess, todo: _Groups) -> list[Message]:
    rest = dict(worker.jobs)
    if not rest:
        return []
    number = next(iter(rest))
    del rest[number]
    todo.give_back(rest)
    return [Message(number, "failed", worker.end)]


def _stop(workers: Sequence[WorkerProcess]) -> None:
    # A second Ctrl-C would leave some of them to be waited for by Python's own end.
    with interrupts_wait():
        for worker in workers:
            worker.kill()
        for worker in workers:
            worker.close()


class _Groups:
    """The groups that wait, each as its jobs by their numbers.

    Args:
        groups: All groups.
        num_first: How many to take at once.
    """

    def __init__(self, groups: Iterable[Sequence[Any]], num_first: int) -> None:
        self._groups = iter(groups)
        self._num_jobs = 0
        self._error: Exception | None = None
        self._waiting = list(islice(self._new(), num_first))[::-1]
        self.num_first = len(self._waiting)

    def take(self) -> dict[int, Any] | None:
        """The next group; None where there is none."""
        return self._waiting.pop() if self._waiting else next(self._new(), None)

    def give_back(self, jobs: dict[int, Any]) -> None:
        """Takes back what a process has left."""
        if jobs:
            self._waiting.append(jobs)

    def raise_error(self) -> None:
        """Raises what the groups have raised."""
        if self._error is not None:
            raise self._error

    def _new(self) -> Iterator[dict[int, Any]]:
        while self._error is None:
            try:
                group = next(self._groups, None)
            except Exception as error:
                self._error = error
                return
            if group is None:
                return
            if group:
                start = self._num_jobs
                self._num_jobs += len(group)
                yield dict(enumerate(group, start))
