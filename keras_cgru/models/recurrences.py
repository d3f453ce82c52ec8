"""The bidirectional recurrences that a reader can be built from."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import Any

from keras import layers, ops

from keras_cgru.layers.coref_gru import CorefGRU


@dataclass(frozen=True)
class Reading:
    """A text inside the reader: features, clusters and mask of its tokens."""

    x: Any  # (batch, time, dim)
    clusters: Any  # (batch, time)
    mask: Any  # (batch, time)

    def with_features(self, x: Any) -> Reading:
        return replace(self, x=x)


class Recurrence(ABC):
    """Reads document and query once a layer, each with weights of its own."""

    def __init__(
        self,
        units: int,
        num_clusters: int,
        share_memory: bool,
        kernel_initializer: Any,
        recurrent_initializer: Any,
    ) -> None:
        self.num_clusters = num_clusters
        self.share_memory = share_memory
        self.options = {
            "units": units,
            "return_sequences": True,
            "return_state": True,
            "kernel_initializer": kernel_initializer,
            "recurrent_initializer": recurrent_initializer,
        }

    def read(
        self, document: Reading, query: Reading, layer: int
    ) -> tuple[Reading, Reading, Any]:
        """Gives both texts read, `(batch, time, 2 * units)`, and the query's final
        states in both directions, `(batch, 2 * units)`."""
        read_document, _ = self._read_one(document, f"document_{layer}")
        read_query, state = self._read_one(query, f"query_{layer}")
        return read_document, read_query, state

    @abstractmethod
    def _read_one(self, text: Reading, name: str) -> tuple[Reading, Any]:
        """Gives the text read, and the final states in both directions."""


class GRURecurrence(Recurrence):
    """Bidirectional GRUs that know nothing of clusters.

    The reset gate acts before the product, the form of `keras.layers.GRU` that has
    one bias per gate: so a reader has the same weights as one of Coref-GRUs, less
    the keys.
    """

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        if self.share_memory:
            raise ValueError(
                "`share_memory` needs recurrence='coref_gru': a GRU has no memory. "
                "Received: share_memory=True"
            )

    def _read_one(self, text: Reading, name: str) -> tuple[Reading, Any]:
        gru = layers.GRU(reset_after=False, **self.options)
        layer = layers.Bidirectional(gru, name=name)
        x, forward, backward = layer(text.x, mask=text.mask)
        return text.with_features(x), ops.concatenate([forward, backward], axis=-1)


class CorefGRURecurrence(Recurrence):
    """Bidirectional Coref-GRUs, with or without one memory for both texts."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.options["num_clusters"] = self.num_clusters

    def read(
        self, document: Reading, query: Reading, layer: int
    ) -> tuple[Reading, Reading, Any]:
        if self.share_memory:
            return self._read_as_one(document, query, layer)
        return super().read(document, query, layer)

    def _read_one(self, text: Reading, name: str) -> tuple[Reading, Any]:
        layer = layers.Bidirectional(CorefGRU(**self.options), name=name)
        x, forward, _, backward, _ = layer([text.x, text.clusters], mask=text.mask)
        return text.with_features(x), ops.concatenate([forward, backward], axis=-1)

    def _read_as_one(
        self, document: Reading, query: Reading, layer: int
    ) -> tuple[Reading, Reading, Any]:
        """Forwards the document comes first, backwards the query."""
        names = f"document_{layer}", f"query_{layer}"
        d_forward, *end = self._direction(document, names[0])
        q_forward, forward, _ = self._direction(query, names[1], after=end)
        q_backward, *end = self._direction(query, names[1], backwards=True)
        backward = end[0]
        d_backward, *_ = self._direction(document, names[0], after=end, backwards=True)
        read_document = ops.concatenate([d_forward, d_backward], axis=-1)
        read_query = ops.concatenate([q_forward, q_backward], axis=-1)
        state = ops.concatenate([forward, backward], axis=-1)
        return (
            document.with_features(read_document),
            query.with_features(read_query),
            state,
        )

    def _direction(
        self, text: Reading, name: str, after: Any = None, backwards: bool = False
    ) -> tuple[Any, Any, Any]:
        """Reads a text in one direction, with the memory of the states `after`."""
        layer = CorefGRU(
            **self.options,
            go_backwards=backwards,
            zero_output_for_mask=True,
            name=f"{name}_{'backward' if backwards else 'forward'}",
        )
        start = None if after is None else [ops.zeros_like(after[0]), after[1]]
        x, h, memory = layer(
            [text.x, text.clusters], initial_state=start, mask=text.mask
        )
        return (ops.flip(x, axis=1) if backwards else x), h, memory


RECURRENCES: dict[str, type[Recurrence]] = {
    "coref_gru": CorefGRURecurrence,
    "gru": GRURecurrence,
    "gru_onehot": GRURecurrence,
}
