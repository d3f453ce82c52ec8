"""Coreference made worse on purpose, to measure what it is worth to a reader."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def drop_mentions(
    ids: Sequence[int], share: float, random: np.random.Generator
) -> tuple[int, ...]:
    """Takes a share of the mentions out of their clusters.

    Args:
        ids: The cluster id of each token, 0 for none; a token is a mention.
        share: Of the mentions, in [0, 1]; their number is rounded.
        random: Chooses them.

    Returns:
        The ids, 0 at the mentions that were dropped. A larger share drops what a
        smaller one does with the same generator, and more.

    Raises:
        ValueError: `share` is out of its range.
    """
    if not 0 <= share <= 1:
        raise ValueError(f"`share` must be in [0, 1]. Received: share={share}")
    result = np.array(ids, np.int64)
    mentions = np.flatnonzero(result)
    result[random.permutation(mentions)[: round(share * len(mentions))]] = 0
    return tuple(result.tolist())


def random_links(ids: Sequence[int], random: np.random.Generator) -> tuple[int, ...]:
    """Puts as many tokens into each cluster as before, but any tokens.

    Args:
        ids: The cluster id of each token, 0 for none.
        random: Draws the tokens, without repetition.

    Returns:
        A permutation of `ids`.
    """
    return tuple(random.permutation(np.array(ids, np.int64)).tolist())
