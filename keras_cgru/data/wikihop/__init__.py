"""WikiHop as reading comprehension, and records that stand in for it."""

from keras_cgru.data.wikihop.read_wikihop import read_wikihop
from keras_cgru.data.wikihop.record_reader import RecordReader

__all__ = ["RecordReader", "read_wikihop"]
