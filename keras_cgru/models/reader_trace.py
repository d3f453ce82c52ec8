"""What a reader did with a batch, as arrays."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

# By layer, 1 for the first, then by direction: "forward", "backward".
ByLayer = dict[int, dict[str, np.ndarray]]


@dataclass(frozen=True)
class ReaderTrace:
    """What `ReaderProbe` gives; without Coref-GRU layers the dicts of alpha are empty.

    Args:
        output: What the model gives.
        attention: `(batch, time)`, the answer's attention on the document's tokens. For
            the attention sum it lies on the candidates' mentions alone.
        gated_attention: By layer, 1 for the first, `(batch, time, query_time)`: the
            attention of each token of the document on the query's.
        document_alpha, query_alpha: By layer and direction, `(batch, time)`: the weight
            of what was read last; that of the antecedent is 1 - alpha.
        document_linked, query_linked: By direction, `(batch, time)` boolean: the tokens
            that have an antecedent in this direction, where alpha means something.
        points_at_mentions: Whether the answer is one of the document's mentions, as
            with the attention sum.
    """

    output: np.ndarray
    attention: np.ndarray
    gated_attention: dict[int, np.ndarray] = field(default_factory=dict)
    document_alpha: ByLayer = field(default_factory=dict)
    query_alpha: ByLayer = field(default_factory=dict)
    document_linked: dict[str, np.ndarray] = field(default_factory=dict)
    query_linked: dict[str, np.ndarray] = field(default_factory=dict)
    points_at_mentions: bool = True
