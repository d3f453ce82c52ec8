"""Examples and the batches made of them. Each data set has a folder of its own here."""

from keras_cgru.data.batch_shape import BatchShape
from keras_cgru.data.bucket_layout import BucketLayout
from keras_cgru.data.data_source import DataSource
from keras_cgru.data.embeddings import embedding_matrix, read_glove
from keras_cgru.data.entity_renaming import EntityRenaming
from keras_cgru.data.example import Example
from keras_cgru.data.read_result import ReadResult
from keras_cgru.data.reader_dataset import ReaderDataset
from keras_cgru.data.unusable_passage import UnusablePassage
from keras_cgru.data.vocabulary import Vocabulary

__all__ = [
    "BatchShape",
    "BucketLayout",
    "DataSource",
    "EntityRenaming",
    "Example",
    "ReadResult",
    "ReaderDataset",
    "UnusablePassage",
    "Vocabulary",
    "embedding_matrix",
    "read_glove",
]
