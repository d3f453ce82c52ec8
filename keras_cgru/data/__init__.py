"""Examples, the readers that make them, and the batches made of them."""

from keras_cgru.data.babi import parse_babi, read_babi
from keras_cgru.data.babi_examples import babi_examples
from keras_cgru.data.babi_question import BabiQuestion
from keras_cgru.data.babi_simulated import simulate_babi
from keras_cgru.data.babi_source import find_babi
from keras_cgru.data.babi_splits import BabiSplits, read_babi_splits
from keras_cgru.data.babi_task import BabiTask
from keras_cgru.data.batch_shape import BatchShape
from keras_cgru.data.bucket_layout import BucketLayout
from keras_cgru.data.data_source import DataSource
from keras_cgru.data.embeddings import embedding_matrix, read_glove
from keras_cgru.data.entity_renaming import EntityRenaming
from keras_cgru.data.example import Example
from keras_cgru.data.lambada import candidate_words, read_lambada, split_passage
from keras_cgru.data.read_result import ReadResult
from keras_cgru.data.reader_dataset import ReaderDataset
from keras_cgru.data.simulated import simulate_stories
from keras_cgru.data.sources import find_lambada
from keras_cgru.data.unusable_passage import UnusablePassage
from keras_cgru.data.vocabulary import Vocabulary

__all__ = [
    "BabiQuestion",
    "BabiSplits",
    "BabiTask",
    "BatchShape",
    "BucketLayout",
    "DataSource",
    "EntityRenaming",
    "Example",
    "ReadResult",
    "ReaderDataset",
    "UnusablePassage",
    "Vocabulary",
    "babi_examples",
    "candidate_words",
    "embedding_matrix",
    "find_babi",
    "find_lambada",
    "parse_babi",
    "read_babi",
    "read_babi_splits",
    "read_glove",
    "read_lambada",
    "simulate_babi",
    "simulate_stories",
    "split_passage",
]
