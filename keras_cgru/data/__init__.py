"""Examples, the readers that make them, and the batches made of them."""

from keras_cgru.data.batch_shape import BatchShape
from keras_cgru.data.bucket_layout import BucketLayout
from keras_cgru.data.data_source import DataSource
from keras_cgru.data.embeddings import embedding_matrix, read_glove
from keras_cgru.data.example import Example
from keras_cgru.data.lambada import candidate_words, read_lambada, split_passage
from keras_cgru.data.read_result import ReadResult
from keras_cgru.data.reader_dataset import ReaderDataset
from keras_cgru.data.simulated import simulate_stories
from keras_cgru.data.sources import find_lambada
from keras_cgru.data.stop_words import FUNCTION_WORDS, PUNCTUATION, STOP_WORDS
from keras_cgru.data.unusable_passage import UnusablePassage
from keras_cgru.data.vocabulary import Vocabulary

__all__ = [
    "FUNCTION_WORDS",
    "PUNCTUATION",
    "STOP_WORDS",
    "BatchShape",
    "BucketLayout",
    "DataSource",
    "Example",
    "ReadResult",
    "ReaderDataset",
    "UnusablePassage",
    "Vocabulary",
    "candidate_words",
    "embedding_matrix",
    "find_lambada",
    "read_glove",
    "read_lambada",
    "simulate_stories",
    "split_passage",
]
