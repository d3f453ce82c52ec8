"""The few epochs of a training at which something is shown that takes room or time."""

from __future__ import annotations

import numpy as np


def few_epochs(epochs: int, most: int = 4, every: int = 1) -> frozenset[int]:
    """Chooses epochs, close together at first, when most changes; the last is one.

    Args:
        epochs: How many there are.
        most: How many are chosen, at most.
        every: Only the ends of so many epochs come into question.

    Returns:
        Their numbers, 0 for the first.
    """
    rounds = max(1, epochs // every)
    chosen = np.rint(np.geomspace(1, rounds, min(most, rounds))).astype(int)
    return frozenset(int(each) * every - 1 for each in chosen)
