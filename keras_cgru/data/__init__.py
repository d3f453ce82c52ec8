"""Examples and the batches made of them. Each data set has a folder of its own here.

Only `ReaderDataset` needs Keras, which is imported when its name is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from keras_cgru.data.batch_shape import BatchShape
from keras_cgru.data.bucket_layout import BucketLayout
from keras_cgru.data.character_vocabulary import CharacterVocabulary
from keras_cgru.data.clusters import with_clusters
from keras_cgru.data.data_source import DataSource
from keras_cgru.data.embeddings import embedding_matrix, read_glove
from keras_cgru.data.entity_renaming import EntityRenaming
from keras_cgru.data.example import Example
from keras_cgru.data.read_result import ReadResult
from keras_cgru.data.reader_inputs import ReaderInputs
from keras_cgru.data.splits import Splits
from keras_cgru.data.unusable_passage import UnusablePassage
from keras_cgru.data.vocabulary import Vocabulary

if TYPE_CHECKING:
    from keras_cgru.data.reader_dataset import ReaderDataset

__all__ = [
    "BatchShape",
    "BucketLayout",
    "CharacterVocabulary",
    "DataSource",
    "EntityRenaming",
    "Example",
    "ReadResult",
    "ReaderDataset",
    "ReaderInputs",
    "Splits",
    "UnusablePassage",
    "Vocabulary",
    "embedding_matrix",
    "read_glove",
    "with_clusters",
]


def __getattr__(name: str) -> Any:
    if name == "ReaderDataset":
        from keras_cgru.data.reader_dataset import ReaderDataset

        return ReaderDataset
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
