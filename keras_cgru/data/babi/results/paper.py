"""The published bAbI-1K results that ours stand beside.

Dhingra et al. (2018), https://aclanthology.org/N18-2007/: Table 1 (average and maximum
over ten seeds, the maximum chosen by validation; tasks whose maximum is below 0.95)
and Table 4 (each task's maximum). The QRN's column is theirs too.
"""

from __future__ import annotations

from typing import NamedTuple


class PaperRow(NamedTuple):
    """A row of Table 1; None where the paper has no figure."""

    average: float | None
    maximum: float
    failed: int


TABLE_1 = {
    "entnet": PaperRow(None, 0.704, 15),
    "qrn": PaperRow(None, 0.901, 7),
    "bi_gru": PaperRow(0.727, 0.767, 13),
    "bi_coref_gru": PaperRow(0.790, 0.831, 12),
    "ga_gru": PaperRow(0.764, 0.810, 10),
    "ga_gru_onehot": PaperRow(0.766, 0.808, 9),
    "ga_coref_gru": PaperRow(0.870, 0.886, 5),
}

# Tasks 1 to 20.
TABLE_4 = {
    "qrn": (
        *(1.000, 0.993, 0.943, 1.000, 0.989, 0.991, 0.904, 0.944, 1.000, 1.000),
        *(1.000, 1.000, 1.000, 0.992, 1.000, 0.470, 0.656, 0.921, 0.213, 0.998),
    ),
    "ga_gru": (
        *(0.997, 0.345, 0.558, 1.000, 0.989, 0.962, 0.946, 0.947, 0.991, 0.992),
        *(0.995, 1.000, 0.998, 0.895, 0.521, 0.488, 0.580, 0.908, 0.095, 0.998),
    ),
    "ga_coref_gru": (
        *(1.000, 0.990, 0.982, 1.000, 0.993, 0.976, 0.976, 0.964, 0.990, 0.986),
        *(0.996, 0.996, 0.993, 0.849, 0.470, 0.999, 0.574, 0.896, 0.099, 1.000),
    ),
}

# Of the models that are not trained here.
PAPER_TITLES = {"entnet": "EntNets", "qrn": "QRN"}

TASK_NAMES = (
    "single supporting fact",
    "two supporting facts",
    "three supporting facts",
    "two-argument relations",
    "three-argument relations",
    "yes/no questions",
    "counting",
    "lists and sets",
    "simple negation",
    "indefinite knowledge",
    "basic coreference",
    "conjunction",
    "compound coreference",
    "time reasoning",
    "basic deduction",
    "basic induction",
    "positional reasoning",
    "size reasoning",
    "path finding",
    "agents' motivations",
)
