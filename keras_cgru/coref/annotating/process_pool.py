"""Annotates on the cores of this machine."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import connection

from keras_cgru.coref.annotating.raw_document import CHUNK_CHARACTERS, Chunk
from keras_cgru.coref.annotating.resolver_settings import ResolverSettings
from keras_cgru.coref.annotating.worker import Worker

# Chunks that wait for a free process; more would only fill the memory.
_WAITING = 2

# Characters a process that the rule-based resolvers annotate in about the time that a
# process takes to start.
_WORTH_A_PROCESS = 500_000

_worker: Worker | None = None


def choose_jobs(
    settings: ResolverSettings | None, size: int, asked: int | None = None
) -> int:
    """How many processes a run should have, never more than there are chunks.

    Args:
        settings: The resolver; None where the documents bring their clusters along.
        size: The characters of all documents.
        asked: What the user asked for; None for one a core, but one alone for a
            resolver with a model, which takes all cores by itself and its memory once
            a process, and fewer where rule-based ones would be done before they start.
    """
    most = 1 + size // CHUNK_CHARACTERS
    if asked is not None:
        return min(asked, most)
    name = "sieve" if settings is None else settings.name
    if name == "fastcoref" or ":" in name:
        return 1
    if name in ("sieve", "exact"):
        most = 1 + size // _WORTH_A_PROCESS
    return min(_available_cores(), most)


def _available_cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def run_in_processes(
    settings: ResolverSettings | None, chunks: Iterator[Chunk], jobs: int
) -> Iterator[bytes]:
    """Annotates chunks in `jobs` processes, in this one where it is one.

    Args:
        settings: The resolver; None where the documents bring their clusters along.
        chunks: What to annotate; taken as processes become free.
        jobs: How many processes.

    Yields:
        The bytes of each chunk's part, in the order in which they are finished.

    Raises:
        ImportError: The resolver needs a package that is not installed.
        ConnectionError: The resolver's server is gone.
        RuntimeError: A process ended, as one does that takes too much memory.
    """
    worker = Worker(settings)  # What is wrong with the settings shows here.
    if jobs == 1:
        yield from (worker(chunk).to_bytes() for chunk in chunks)
        return
    del worker
    executor = ProcessPoolExecutor(jobs, _context(), _start_worker, (settings,))
    try:
        yield from _feed(executor, chunks, jobs + _WAITING)
    except BrokenProcessPool as error:
        raise RuntimeError(
            "a worker process must not end before its work is done. Received: one "
            "that was ended from outside, perhaps for want of memory; fewer --jobs "
            "need less"
        ) from error
    finally:
        executor.shutdown(wait=True, cancel_futures=True)


def _feed(
    executor: ProcessPoolExecutor, chunks: Iterator[Chunk], most: int
) -> Iterator[bytes]:
    running: set[Future[bytes]] = set()
    exhausted = False
    while running or not exhausted:
        while len(running) < most and not exhausted:
            chunk = next(chunks, None)
            if chunk is None:
                exhausted = True
            else:
                running.add(executor.submit(_annotate, chunk))
        done, running = wait(running, return_when=FIRST_COMPLETED)
        for future in done:
            yield future.result()


def _context() -> multiprocessing.context.BaseContext:
    # Never a plain fork: the parent may hold threads of pyarrow or a Keras backend.
    # A fork server imports the package once for all workers.
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__])
    return context


def _start_worker(settings: ResolverSettings | None) -> None:
    global _worker
    # Ctrl-C reaches the whole group; the parent alone decides what follows.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _worker = Worker(settings)


def _annotate(chunk: Chunk) -> bytes:
    assert _worker is not None  # `_start_worker` ran first.
    return _worker(chunk).to_bytes()


def _end_with_parent() -> None:
    """Ends this process when the parent was killed, which cannot end it itself."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        sys.stderr.flush()
        os._exit(1)
