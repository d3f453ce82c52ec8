"""The models of the bAbI tables, and how they are called."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class BabiModel:
    """A row: its recurrence and number of layers.

    Args:
        title: As in the paper's Table 1.
        recurrence: See `ga_reader`.
        layers: Number K of gated-attention layers.
        random_links: Whether coreference is replaced with as many random links.
    """

    title: str
    recurrence: str
    layers: int
    random_links: bool = False


# In the order of the tables.
MODELS = {
    "bi_gru": BabiModel("Bi-GRU", "gru", 1),
    "bi_coref_gru": BabiModel("Bi-C-GRU", "coref_gru", 1),
    "ga_gru": BabiModel("GA w/ GRU", "gru", 3),
    "ga_gru_onehot": BabiModel("GA w/ GRU + 1-hot", "gru_onehot", 3),
    "ga_coref_gru": BabiModel("GA w/ C-GRU", "coref_gru", 3),
    "ga_random_gru": BabiModel("GA w/ random-GRU", "coref_gru", 3, random_links=True),
}
