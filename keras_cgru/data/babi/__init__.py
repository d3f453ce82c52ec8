"""The bAbI tasks: their stories, read or simulated, and what readers make of them."""

from keras_cgru.data.babi.examples import babi_examples
from keras_cgru.data.babi.question import BabiQuestion
from keras_cgru.data.babi.questions import parse_babi, read_babi
from keras_cgru.data.babi.simulated import simulate_babi
from keras_cgru.data.babi.source import find_babi
from keras_cgru.data.babi.splits import BabiSplits, read_babi_splits
from keras_cgru.data.babi.task import BabiTask

__all__ = [
    "BabiQuestion",
    "BabiSplits",
    "BabiTask",
    "babi_examples",
    "find_babi",
    "parse_babi",
    "read_babi",
    "read_babi_splits",
    "simulate_babi",
]
