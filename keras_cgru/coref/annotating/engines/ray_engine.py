"""Annotates on a Ray cluster."""

from __future__ import annotations

import logging
import os
import pickle
from collections.abc import Generator, Iterator
from itertools import islice
from typing import Any

from keras_cgru.coref.annotating.engines.worker import Worker
from keras_cgru.coref.annotating.raw_document import Chunk
from keras_cgru.coref.annotating.resolver_settings import ResolverSettings

_INSTALL = 'pip install "keras-cgru[ray]"'
# Chunks handed over at once: some hundred megabytes, which Ray spreads over machines.
_WAVE = 4096


class _RayWorker:
    """An actor of Ray Data: one row is one chunk.

    What ends the work is handed back, too: Ray would bury it in its own messages.
    """

    def __init__(self) -> None:
        self._worker: Worker | None = None

    def __call__(self, row: dict[str, Any]) -> dict[str, Any]:
        settings, chunk = pickle.loads(row["work"])
        try:
            # Made with the first work: what it fails at is handed back like the rest.
            self._worker = self._worker or Worker(settings)
            part = self._worker(chunk).to_bytes()
        except Exception as error:
            return {"part": b"", "error": f"{type(error).__name__}: {error}"}
        return {"part": part, "error": ""}


def run_on_ray(
    settings: ResolverSettings | None, chunks: Iterator[Chunk], jobs: int | None
) -> Generator[bytes, None, None]:
    """Annotates chunks with Ray Data.

    Joins the cluster that `RAY_ADDRESS` names, and starts Ray on this machine where it
    names none. The machines of a cluster need this package and the resolver's.

    Args:
        settings: The resolver; None where the documents bring their clusters along.
        chunks: What to annotate.
        jobs: How many actors, one core each; None takes all cores of the cluster.

    Yields:
        The bytes of each chunk's part, in the order in which they are finished.

    Raises:
        ImportError: Ray is not installed; the message says how to install it.
        RuntimeError: Ray failed, or something that concerns all documents; the message
            says what.
    """
    ray = _require_ray()
    Worker(settings)  # What is wrong with the settings shows here.
    ours = not ray.is_initialized()
    if ours:
        local = "RAY_ADDRESS" not in os.environ
        options = {"num_cpus": jobs, "include_dashboard": False} if local else {}
        ray.init(log_to_driver=False, logging_level="ERROR", **options)
    try:
        # The progress that is shown is ours.
        ray.data.DataContext.get_current().enable_progress_bars = False
        logging.getLogger("ray.data").setLevel(logging.CRITICAL)
        actors = jobs or int(ray.cluster_resources()["CPU"])
        while wave := list(islice(chunks, _WAVE)):
            yield from _run_wave(ray, settings, wave, actors)
    except ray.exceptions.RayError as error:
        raise RuntimeError(f"Ray failed: {error}") from error
    finally:
        if ours:
            ray.shutdown()


def _run_wave(
    ray: Any, settings: ResolverSettings | None, wave: list[Chunk], actors: int
) -> Iterator[bytes]:
    rows = [{"work": pickle.dumps((settings, chunk))} for chunk in wave]
    dataset = ray.data.from_items(rows, override_num_blocks=len(rows)).map(
        _RayWorker,
        compute=ray.data.ActorPoolStrategy(size=min(actors, len(rows))),
        num_cpus=1,
    )
    for row in dataset.iter_rows():
        if row["error"]:
            raise RuntimeError(f"on Ray: {row['error']}")
        yield row["part"]


def _require_ray() -> Any:
    try:
        import ray
        import ray.data
    except ImportError as error:
        raise ImportError(
            f"`engine` ray needs the package ray. Install it with: {_INSTALL} ({error})"
        ) from error
    return ray
