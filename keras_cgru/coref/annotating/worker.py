"""What one process does: annotates chunks of documents."""

from __future__ import annotations

import time
from http.client import IncompleteRead

from keras_cgru.coref.align import align
from keras_cgru.coref.annotating.part import Failure, Part
from keras_cgru.coref.annotating.raw_document import Chunk, RawDocument
from keras_cgru.coref.annotating.resolver_settings import ResolverSettings
from keras_cgru.coref.annotation import Annotation
from keras_cgru.coref.document import Document
from keras_cgru.coref.text import find_sentence_starts, tokenise

# What every other document would meet with, too: no server, no package.
_FATAL = (ConnectionError, ImportError, MemoryError)
# What one document does to a server that answers others.
_CUT_OFF = (
    BrokenPipeError,
    ConnectionAbortedError,
    ConnectionResetError,
    IncompleteRead,
)


class Worker:
    """Annotates chunks, one after the other.

    Args:
        settings: The resolver to make; None aligns what the documents bring along.

    Raises:
        ImportError: The resolver needs a package that is not installed.
        ValueError: The resolver refuses its arguments.
    """

    def __init__(self, settings: ResolverSettings | None) -> None:
        self._resolver = None if settings is None else settings.make()

    def __call__(self, chunk: Chunk) -> Part:
        """Annotates the documents of a chunk.

        A document that cannot be annotated is named in the part's `failures`; the
        others are annotated all the same.

        Raises:
            ConnectionError: The resolver's server cannot be reached.
        """
        start = time.perf_counter()
        documents: list[tuple[int, Document]] = []
        failures: list[Failure] = []
        num_unplaced = 0
        for position, raw in chunk.documents:
            try:
                annotation, unplaced = self._annotate(raw)
                annotation = _with_held_back(annotation, raw.held_back)
                _check_writable(raw.id, annotation)
            except Exception as error:
                if isinstance(error, _FATAL) and not _was_cut_off(error):
                    raise
                message = f"{type(error).__name__}: {error}"
                id = raw.id.encode("utf-8", "backslashreplace").decode("utf-8")
                failures.append(Failure(position, id, message))
            else:
                documents.append((position, Document(raw.id, annotation)))
                num_unplaced += unplaced
        return Part(
            index=chunk.index,
            documents=tuple(documents),
            failures=tuple(failures),
            num_unplaced=num_unplaced,
            seconds=time.perf_counter() - start,
        )

    def _annotate(self, raw: RawDocument) -> tuple[Annotation, int]:
        tokens, starts = _tokens_of(raw)
        if raw.found is not None:
            moved = align(raw.found, tokens, starts)
            return moved.annotation, moved.num_unplaced
        if self._resolver is None:
            return Annotation(tokens, (), starts), 0
        before = getattr(self._resolver, "num_unplaced", 0)
        annotation = self._resolver.resolve(tokens, starts)
        if annotation.tokens != tokens:
            raise ValueError(
                f"the resolver must annotate the {len(tokens)} tokens it was given. "
                f"Received: {len(annotation.tokens)} tokens, or others"
            )
        return annotation, getattr(self._resolver, "num_unplaced", 0) - before


def _was_cut_off(error: Exception) -> bool:
    """Whether a server took the document and then closed the connection."""
    cause = error.__cause__ or error
    # urllib wraps what happens while it sends.
    return isinstance(getattr(cause, "reason", cause), _CUT_OFF)


def _with_held_back(annotation: Annotation, tokens: tuple[str, ...]) -> Annotation:
    if not tokens:
        return annotation
    starts = annotation.sentence_starts or (0,)
    return Annotation((*annotation.tokens, *tokens), annotation.clusters, starts)


def _check_writable(id: str, annotation: Annotation) -> None:
    """Refuses half a surrogate pair, which JSON can hold and no file in UTF-8."""
    for text in (id, "".join(annotation.tokens)):
        try:
            text.encode("utf-8")
        except UnicodeEncodeError as error:
            raise ValueError(
                "the text must be what UTF-8 can hold. Received: "
                f"{text[error.start]!r} behind {text[: error.start][-20:]!r}"
            ) from error


def _tokens_of(raw: RawDocument) -> tuple[tuple[str, ...], tuple[int, ...]]:
    if raw.tokens is None:
        return tokenise(raw.text or "")
    if raw.sentence_starts is None:
        return raw.tokens, find_sentence_starts(raw.tokens)
    return raw.tokens, raw.sentence_starts
