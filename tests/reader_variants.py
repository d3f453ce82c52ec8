"""The readers that `tests/models` holds to the same."""

from __future__ import annotations

from typing import Any

VARIANT_OPTIONS: dict[str, dict[str, Any]] = {
    "coref_gru": {"recurrence": "coref_gru"},
    "coref_gru, shared memory": {"recurrence": "coref_gru", "share_memory": True},
    "coref_gru, query words": {"recurrence": "coref_gru", "query_word_layer": 1},
    "gru": {"recurrence": "gru"},
    "gru_onehot": {"recurrence": "gru_onehot"},
}

VARIANTS = tuple(VARIANT_OPTIONS)
