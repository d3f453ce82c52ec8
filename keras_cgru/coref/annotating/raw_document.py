"""A text before it is annotated, and how many of them are worked on at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from keras_cgru.coref.annotating.piece import Piece
from keras_cgru.coref.annotation import Annotation

# About a second of a rule-based resolver: what a kill costs, and what keeps many
# processes busy to the end.
CHUNK_CHARACTERS = 100_000


@dataclass(frozen=True)
class RawDocument:
    """A text as its source gives it: untokenised, or in tokens.

    Args:
        id: Its name, unique among all that are annotated together.
        text: The text, paragraphs separated by blank lines; None where there are
            tokens.
        tokens: The text in tokens; None where there is `text`.
        sentence_starts: The position of each sentence's first token; None where they
            are not known.
        found: What another system found in the same text, in tokens of its own; None
            where a resolver is to be run.
        num_repeated: How many mentions that system gave twice.
        held_back: Tokens that end the text in the output, but that no resolver and no
            other system may see; they belong to the last sentence and to no cluster.
        piece: Which stretch of its document the text is; None where it is all of it.
        error: Why there is no text: what is wrong with it, with file and line.
        record: What else the input says of it, as JSON; Parquet keeps it.
        file: Where it came from, for messages.

    Raises:
        ValueError: There is not just one of text, tokens and error.
    """

    id: str
    text: str | None = None
    tokens: tuple[str, ...] | None = None
    sentence_starts: tuple[int, ...] | None = None
    found: Annotation | None = None
    num_repeated: int = 0
    held_back: tuple[str, ...] = ()
    piece: Piece | None = None
    error: str | None = None
    record: str | None = field(default=None, compare=False)
    file: str | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        if self.error is not None:
            return
        if (self.text is None) == (self.tokens is None):
            given = "neither" if self.text is None else "both"
            raise ValueError(
                f"document {self.id!r} must have `text` or `tokens`. Received: {given}"
            )

    @property
    def size(self) -> int:
        """Its characters, spaces between tokens left out."""
        if self.tokens is not None:
            return sum(map(len, self.tokens))
        return len(self.text or "")


@dataclass(frozen=True)
class Chunk:
    """Documents that one process annotates at a time.

    Args:
        index: Its place among all chunks, from 0.
        documents: The documents, each with its place among all of the input; a piece
            of one is alone.
    """

    index: int
    documents: tuple[tuple[int, RawDocument], ...]

    @property
    def piece(self) -> Piece | None:
        """The piece, where it is one."""
        return self.documents[0][1].piece if self.documents else None

    @property
    def size(self) -> int:
        """The characters of its documents."""
        return sum(document.size for _, document in self.documents)


def split_into_chunks(
    documents: Iterable[RawDocument], characters: int = CHUNK_CHARACTERS
) -> Iterator[Chunk]:
    """Cuts documents into chunks, in their order and the same at every run.

    Args:
        documents: The documents; read as far as chunks are asked for.
        characters: A chunk ends with the document that reaches so many.

    Yields:
        Chunks of at least one document.

    Raises:
        ValueError: Two documents have the same id.
    """
    index, size = 0, 0
    held: list[tuple[int, RawDocument]] = []
    for position, document in _placed(documents):
        if held and document.piece is not None:
            yield Chunk(index, tuple(held))
            index, size, held = index + 1, 0, []
        held.append((position, document))
        size += document.size
        if size >= characters or document.piece is not None:
            yield Chunk(index, tuple(held))
            index, size, held = index + 1, 0, []
    if held:
        yield Chunk(index, tuple(held))


def _placed(documents: Iterable[RawDocument]) -> Iterator[tuple[int, RawDocument]]:
    """The documents with their places; all pieces of one have the same."""
    seen: dict[str, str | None] = {}
    for document in documents:
        if document.piece is None or document.piece.number == 0:
            if document.id in seen:
                files = [each for each in (seen[document.id], document.file) if each]
                raise ValueError(
                    f"`id` must be unique. Received: {document.id!r} twice"
                    + (f" ({' and '.join(files)})" if files else "")
                )
            seen[document.id] = document.file
        yield len(seen) - 1, document
