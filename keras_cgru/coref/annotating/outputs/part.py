"""The annotated documents of one chunk, as a file that survives a kill."""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass
from typing import Any

from keras_cgru.coref.annotating.outputs.counts import Counts
from keras_cgru.coref.document import Document
from keras_cgru.coref.formats.parquet import (
    document_schema,
    require_pyarrow,
    to_documents,
    to_table,
)

_KEY = b"part"


@dataclass(frozen=True)
class Failure:
    """A document that could not be annotated.

    Args:
        position: Its place in the input.
        id: Its name.
        message: What went wrong.
        num_tokens: Its tokens, where it was annotated but could not be written.
    """

    position: int
    id: str
    message: str
    num_tokens: int = 0


@dataclass(frozen=True)
class Part:
    """What became of a chunk.

    Args:
        index: The chunk's place among all chunks.
        documents: The annotated documents, each with its place in the input, rising.
        failures: The documents that could not be annotated.
        counts: What was left out or kept once.
        seconds: What it took.
        piece: Where it is a piece of a document: its number, how many there are, and
            how many of its tokens are the end of the one before.
    """

    index: int
    documents: tuple[tuple[int, Document], ...]
    failures: tuple[Failure, ...] = ()
    counts: Counts = Counts()
    seconds: float = 0.0
    piece: tuple[int, int, int] | None = None

    @property
    def num_tokens(self) -> int:
        """Tokens of its documents; what a piece reads once more is not counted."""
        again = self.piece[2] if self.piece and self.documents else 0
        return sum(len(each.annotation.tokens) for _, each in self.documents) - again

    def merged(self, later: Part) -> Part:
        """This part with the documents that failed and were tried again."""
        documents = sorted(
            (*self.documents, *later.documents), key=lambda pair: pair[0]
        )
        return Part(
            index=self.index,
            documents=tuple(documents),
            failures=later.failures,
            counts=self.counts + later.counts,
            seconds=self.seconds + later.seconds,
            piece=later.piece,
        )

    def to_bytes(self) -> bytes:
        """The part as an Arrow file."""
        pa = require_pyarrow()
        head = {
            "index": self.index,
            "positions": [position for position, _ in self.documents],
            "failures": [dataclasses.asdict(failure) for failure in self.failures],
            "counts": dataclasses.asdict(self.counts),
            "num_tokens": self.num_tokens,
            "seconds": self.seconds,
            "piece": self.piece,
        }
        table = to_table(document for _, document in self.documents)
        schema = document_schema().with_metadata({_KEY: json.dumps(head).encode()})
        sink = pa.BufferOutputStream()
        with pa.ipc.new_file(sink, schema) as writer:
            writer.write_table(table.cast(schema))
        return sink.getvalue().to_pybytes()

    @classmethod
    def from_bytes(cls, content: bytes) -> Part:
        """The part that `to_bytes` wrote."""
        head, table = read_part(content)
        documents = zip(head["positions"], to_documents(table), strict=True)
        return cls(
            index=head["index"],
            documents=tuple(documents),
            failures=tuple(Failure(**failure) for failure in head["failures"]),
            counts=Counts(**head["counts"]),
            seconds=head["seconds"],
            piece=tuple(head["piece"]) if head["piece"] else None,
        )


def read_part(content: bytes) -> tuple[dict[str, Any], Any]:
    """A part's counts and its documents as a table, which is faster than objects.

    Raises:
        ValueError: These are no bytes of `Part.to_bytes`.
    """
    pa = require_pyarrow()
    try:
        with pa.ipc.open_file(content) as reader:
            head = json.loads(reader.schema.metadata[_KEY])
            table = reader.read_all().replace_schema_metadata()
        # Offsets that lead elsewhere would only show when a text is read.
        table.validate(full=True)
        return {**head, "index": head["index"]}, table
    except (pa.ArrowException, OSError, KeyError, TypeError, ValueError) as error:
        raise ValueError(
            f"must be a part of a run. Received: {str(error)[:200]}"
        ) from error
