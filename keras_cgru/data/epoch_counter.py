"""Tells the epochs that Keras trains from its other passes over a data set."""

from __future__ import annotations


class EpochCounter:
    """Counts the epochs of `fit` from the hooks of a `keras.utils.PyDataset`.

    The hooks alone do not tell. Before its first epoch `fit` calls `on_epoch_end`
    once, to reset; before that it may begin an epoch only to look at a batch and
    build from it. So an end counts where all batches were served since the beginning
    and where an earlier end shows that the beginning was no such look.

    Args:
        num_batches: Batches of a whole epoch.
        epoch: The epoch to start with.
    """

    def __init__(self, num_batches: int, epoch: int = 0) -> None:
        self.num_batches = num_batches
        self.epoch = epoch
        self._was_reset = False
        self._counts = False
        self._served: set[int] = set()

    def begin(self) -> None:
        """To be called where an epoch, or a look at its first batch, begins."""
        self._counts = self._was_reset
        self._served = set()

    def serve(self, index: int) -> None:
        """To be called with the index of every batch that is served."""
        self._served.add(index)

    def end(self) -> bool:
        """To be called where an epoch ends; says whether one was counted."""
        counted = self._counts and len(self._served) == self.num_batches
        self._was_reset, self._counts = True, False
        self.epoch += counted
        return counted
