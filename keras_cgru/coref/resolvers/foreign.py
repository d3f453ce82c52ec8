"""What the adapters of other systems share."""

from __future__ import annotations

from collections.abc import Sequence

from keras_cgru.coref.align import align
from keras_cgru.coref.annotation import Annotation


def no_tokens() -> Annotation:
    """The annotation of an empty text; most systems fail on one."""
    return Annotation((), (), ())


def split_at(
    tokens: Sequence[str], sentence_starts: Sequence[int] | None
) -> list[list[str]]:
    """The sentences, one list of tokens each; one sentence where none are known."""
    starts = [0] if sentence_starts is None else list(sentence_starts)
    ends = [*starts[1:], len(tokens)]
    return [list(tokens[a:b]) for a, b in zip(starts, ends, strict=True)]


def move_onto(
    found: Annotation,
    tokens: Sequence[str],
    sentence_starts: Sequence[int] | None,
    system: str,
) -> tuple[Annotation, int]:
    """Moves what a system found in its own tokens onto the text's.

    Args:
        found: The system's tokens, sentences and clusters.
        tokens: The text as it was handed to the system.
        sentence_starts: Its sentences; None takes those that the system found.
        system: Its name, for the message.

    Returns:
        The annotation of `tokens`, and the number of mentions without a place in them.

    Raises:
        ValueError: Not one mention has a place: the system annotated another text.
    """
    moved = align(found, tokens, sentence_starts)
    num_mentions = sum(len(cluster) for cluster in found.clusters)
    if num_mentions and moved.num_unplaced == num_mentions:
        raise ValueError(
            f"{system} must annotate the text that it was given, "
            f"{_start(tokens)} Received: {_start(found.tokens)}"
        )
    return moved.annotation, moved.num_unplaced


def _start(tokens: Sequence[str]) -> str:
    words = " ".join(tokens[:8])
    return f"{len(tokens)} tokens that begin {words[:60]!r}."
