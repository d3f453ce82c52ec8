"""The antecedent of each token, in either reading direction."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def antecedents(
    reads: Sequence[Any],
    writes: Sequence[Any] | None = None,
    backwards: bool = False,
) -> tuple[Any, ...]:
    """Finds the latest earlier token of each token's cluster.

    The layers derive the same from cluster ids by themselves; this is for looking at a
    text, and for tests. It is always a token read strictly before, never the token
    itself.

    Args:
        reads: One cluster id a token, or a tuple of ids a token, 0 for none, as
            `token_clusters` and `edges` give them.
        writes: The clusters whose latest token a token becomes; None for those it
            reads.
        backwards: Whether the text is read from its end. "Earlier" then means nearer
            to the end. Entries and exits must be exchanged by the caller, see
            `Edges.backwards`.

    Returns:
        A position in the text, counted from 1, or 0 for none, a token; a tuple of them
        where a token has a tuple of ids.

    Raises:
        ValueError: `writes` has another length than `reads`.

    Example:

    >>> antecedents((1, 0, 2, 1, 1))
    (0, 0, 0, 1, 4)
    >>> antecedents((1, 0, 2, 1, 1), backwards=True)
    (4, 0, 0, 5, 0)
    """
    writes = reads if writes is None else writes
    if len(writes) != len(reads):
        raise ValueError(
            f"`writes` must be as long as `reads` ({len(reads)}). "
            f"Received: {len(writes)}"
        )
    found: list[Any] = [0] * len(reads)
    latest: dict[int, int] = {}
    order = range(len(reads))
    for token in reversed(order) if backwards else order:
        read = reads[token]
        if isinstance(read, tuple):
            found[token] = tuple(latest.get(each, 0) for each in read)
        else:
            found[token] = latest.get(read, 0)
        written = writes[token]
        for each in written if isinstance(written, tuple) else (written,):
            if each:
                latest[each] = token + 1
    return tuple(found)
