"""Annotates whole corpora: what `tools/annotate.py` does."""

from keras_cgru.coref.annotating.bracketed import bracketed
from keras_cgru.coref.annotating.parquet_file import (
    SCHEMA_VERSION,
    read_annotations,
    read_metadata,
)
from keras_cgru.coref.annotating.raw_document import RawDocument
from keras_cgru.coref.annotating.resolver_settings import ResolverSettings
from keras_cgru.coref.text import tokenise

__all__ = [
    "SCHEMA_VERSION",
    "RawDocument",
    "ResolverSettings",
    "bracketed",
    "read_annotations",
    "read_metadata",
    "tokenise",
]
