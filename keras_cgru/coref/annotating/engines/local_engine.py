"""Annotates on the cores of this machine."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import closing

from keras_cgru.coref.annotating.engines.worker import FATAL, Worker
from keras_cgru.coref.annotating.raw_document import CHUNK_CHARACTERS, Chunk
from keras_cgru.coref.annotating.resolver_settings import ResolverSettings
from keras_cgru.processes import available_cores, run_jobs

# Characters a process that the rule-based resolvers annotate in about the time that a
# process takes to start.
_WORTH_A_PROCESS = 500_000


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
    return min(available_cores(), most)


def run_in_processes(
    settings: ResolverSettings | None, chunks: Iterator[Chunk], jobs: int
) -> Generator[bytes, None, None]:
    """Annotates chunks in `jobs` processes, in this one where it is one.

    Args:
        settings: The resolver; None where the documents bring their clusters along.
        chunks: What to annotate; taken as processes become free.
        jobs: How many processes.

    Yields:
        The bytes of each chunk's part, in the order in which they are finished. After
        an error those that are being worked on still come before it is raised.

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
    failure: Exception | None = None

    def groups() -> Iterator[list[Chunk]]:
        for chunk in chunks:
            if failure is not None:
                return
            yield [chunk]

    with closing(run_jobs(_Annotate(settings), groups(), jobs, reuse=True)) as told:
        for message in told:
            if message.kind == "failed":
                failure = failure or _died(message.value)
            elif isinstance(message.value, Exception):
                failure = failure or message.value
            else:
                yield message.value
    if failure is not None:
        raise failure


class _Annotate:
    """The work of a process; its resolver is made with the first chunk."""

    def __init__(self, settings: ResolverSettings | None) -> None:
        self._settings = settings
        self._worker: Worker | None = None

    def __call__(self, chunk: Chunk, tell: Callable[[str], None]) -> bytes | Exception:
        try:
            self._worker = self._worker or Worker(self._settings)
            return self._worker(chunk).to_bytes()
        except FATAL as error:
            # What a package derives from these may not survive the way to the parent.
            kind = next(kind for kind in FATAL if isinstance(error, kind))
            return kind(str(error))


def _died(how: str) -> RuntimeError:
    last = how.strip().splitlines()[-1]
    return RuntimeError(
        f"a worker process must not end before its work is done. Received: {last}, "
        "perhaps for want of memory; fewer `jobs` need less"
    )
