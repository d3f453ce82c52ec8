"""What one process does: annotates chunks of documents."""

from __future__ import annotations

import time
from collections.abc import Sequence
from http.client import IncompleteRead

from keras_cgru.coref.align import align
from keras_cgru.coref.annotating.outputs.counts import Counts
from keras_cgru.coref.annotating.outputs.part import Failure, Part
from keras_cgru.coref.annotating.raw_document import Chunk, RawDocument
from keras_cgru.coref.annotating.resolver_settings import ResolverSettings
from keras_cgru.coref.annotation import Annotation
from keras_cgru.coref.document import Document
from keras_cgru.coref.text import find_sentence_starts, tokenise

# What every other document would meet with, too: no server, no package.
FATAL = (ConnectionError, ImportError, MemoryError)
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
        counts = Counts()
        num_before = 0
        for position, raw in chunk.documents:
            try:
                annotation, more, num_before = self._annotate(raw)
                annotation = _with_held_back(annotation, raw.held_back)
                _check_writable(raw.id, annotation)
            except Exception as error:
                if isinstance(error, FATAL) and not _was_cut_off(error):
                    raise
                name = "" if raw.error else f"{type(error).__name__}: "
                message = f"{name}{error}"
                id = raw.id.encode("utf-8", "backslashreplace").decode("utf-8")
                failures.append(Failure(position, id, message))
            else:
                documents.append(
                    (position, Document(raw.id, annotation, record=raw.record))
                )
                counts += more
        piece = chunk.piece
        return Part(
            index=chunk.index,
            documents=tuple(documents),
            failures=tuple(failures),
            counts=counts,
            seconds=time.perf_counter() - start,
            piece=(piece.number, piece.count, num_before) if piece else None,
        )

    def _annotate(self, raw: RawDocument) -> tuple[Annotation, Counts, int]:
        """The annotation, what was left out, and the tokens of the piece before."""
        if raw.error is not None:
            raise ValueError(raw.error)
        tokens, starts, num_before = _tokens_of(raw)
        if raw.found is not None:
            moved = align(raw.found, tokens, starts)
            return moved.annotation, Counts(moved.num_unplaced, raw.num_repeated), 0
        if self._resolver is None:
            return Annotation(tokens, (), starts), Counts(), num_before
        before = Counts.of(self._resolver)
        annotation = self._resolver.resolve(tokens, starts)
        if annotation.tokens != tokens:
            raise ValueError(
                f"the resolver must annotate the {len(tokens)} tokens it was given. "
                f"Received: {len(annotation.tokens)} tokens, or others"
            )
        return annotation, Counts.of(self._resolver) - before, num_before


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


def _tokens_of(raw: RawDocument) -> tuple[tuple[str, ...], tuple[int, ...], int]:
    """Tokens, sentence starts, and how many tokens are of the piece before."""
    if raw.tokens is None:
        if raw.piece is not None:
            return _tokens_of_segments(raw.piece.segments(raw.text or ""))
        return *tokenise(raw.text or ""), 0
    if raw.sentence_starts is None:
        return raw.tokens, find_sentence_starts(raw.tokens), 0
    return raw.tokens, raw.sentence_starts, 0


def _tokens_of_segments(
    segments: Sequence[str],
) -> tuple[tuple[str, ...], tuple[int, ...], int]:
    tokens: list[str] = []
    starts: list[int] = []
    lengths: list[int] = []
    for segment in segments:
        words, firsts = tokenise(segment)
        starts += [len(tokens) + first for first in firsts]
        tokens += words
        lengths.append(len(words))
    return tuple(tokens), tuple(starts), lengths[0]
