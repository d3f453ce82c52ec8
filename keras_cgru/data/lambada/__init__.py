"""LAMBADA as reading comprehension, and stories that stand in for it."""

from keras_cgru.data.lambada.passages import (
    candidate_words,
    read_lambada,
    split_passage,
)
from keras_cgru.data.lambada.simulated import simulate_stories
from keras_cgru.data.lambada.source import find_lambada

__all__ = [
    "candidate_words",
    "find_lambada",
    "read_lambada",
    "simulate_stories",
    "split_passage",
]
